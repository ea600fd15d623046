import { trpc } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** Who is signed in, or null for a visitor. The shell draws no page before this is known. */
export function useSession(): OwnUser | null {
  const { data } = trpc.auth.currentUser.useQuery()
  return data ?? null
}
