import { CATEGORIES } from '#shared/limits.ts'
import type { SiteSettings } from '#shared/schemas/desk/site.schemas.ts'
import { trpc } from '../trpc.ts'

const MEMORY = 'clutch-site'

/**
 * What the site's admins decided that every page may need; as it was last time, until it is known.
 * Undefined on the very first visit for a moment.
 */
export function useSite(): SiteSettings | undefined {
  return trpc.site.settings.useQuery(undefined, { placeholderData: recall }).data
}

/** The eight categories, and those that an admin added. */
export function useCategories(): readonly string[] {
  return useSite()?.categories ?? CATEGORIES
}

/** Keeps the settings for the next visit, so that the name and the colours are right from the first frame. */
export function rememberSite(site: SiteSettings): void {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(site))
  } catch {
    // A browser that stores nothing shows the site's name a moment later.
  }
}

function recall(): SiteSettings | undefined {
  try {
    return JSON.parse(localStorage.getItem(MEMORY) ?? '') as SiteSettings
  } catch {
    return undefined
  }
}
