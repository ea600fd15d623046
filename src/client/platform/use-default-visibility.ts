import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { trpc } from '../trpc.ts'
import { useSite } from './use-site.ts'

/** The level of a new video that nothing is said about: as the member wants it, else as the site does. */
export function useDefaultVisibility(): Visibility {
  const { data: user } = trpc.auth.currentUser.useQuery()
  const site = useSite()?.defaultVisibility
  return user?.defaultVisibility ?? site ?? 'public'
}
