import { redirect } from '@tanstack/react-router'
import { signInSearch } from '#client/platform/sign-in-link.ts'
import { trpcUtils } from '#client/trpc.ts'
import { CATEGORIES } from '#shared/limits.ts'

/** Undefined on failure, which the root layout shows. */
export const findUser = () => trpcUtils.auth.currentUser.ensureData().catch(() => undefined)

export async function requireMember({ location }: { location: { href: string } }) {
  if ((await findUser()) === null) {
    throw redirect({ to: '/auth', search: signInSearch(location.href) })
  }
}

/** Built-in ones are known; others only to the server. */
export async function siteHasCategory(name: string): Promise<boolean> {
  if (CATEGORIES.some((category) => category === name)) return true
  const site = await trpcUtils.site.settings.ensureData().catch(() => undefined)
  return site ? [...site.categories, ...site.archivedCategories].includes(name) : false
}
