import { CATEGORIES } from '#shared/limits.ts'
import type { SiteSettings } from '#shared/schemas/desk/site.schemas.ts'
import { trpc } from '../trpc.ts'
import { deviceStorage } from './browser-storage.ts'

const MEMORY = 'clutch-site'

/** Last known settings until loaded; undefined briefly on the first visit. */
export function useSite(): SiteSettings | undefined {
  return trpc.site.settings.useQuery(undefined, { placeholderData: recall }).data
}

/** Built-in and added ones. */
export function useCategories(): readonly string[] {
  return useSite()?.categories ?? CATEGORIES
}

/** For the first frame of the next visit. */
export function rememberSite(site: SiteSettings): void {
  deviceStorage.write(MEMORY, JSON.stringify(site))
}

function recall(): SiteSettings | undefined {
  try {
    return JSON.parse(deviceStorage.read(MEMORY) ?? '') as SiteSettings
  } catch {
    return undefined
  }
}
