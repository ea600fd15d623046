import { trpc } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** Null for a visitor. The shell renders no page before this is known. */
export function useSession(): OwnUser | null {
  const { data } = trpc.auth.currentUser.useQuery()
  return data ?? null
}
