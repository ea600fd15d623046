import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { trpc } from '../trpc.ts'
import { useSite } from './use-site.ts'

/** The member's default, else the site's. */
export function useDefaultVisibility(): Visibility {
  const { data: user } = trpc.auth.currentUser.useQuery()
  const site = useSite()?.defaultVisibility
  return user?.defaultVisibility ?? site ?? 'public'
}
