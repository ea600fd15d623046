import { useLocation } from '@tanstack/react-router'

const NEXT_MAX = 1000

/** Where a link to the sign-in page leads, so that whoever signs in comes back to the page they were on. */
export function useSignInLink() {
  const href = useLocation({ select: (location) => location.href })
  return { to: '/auth', search: signInSearch(href) } as const
}

/** Home is where a sign-in leads anyway. */
export function signInSearch(href: string): { next?: string } {
  return href === '/' ? {} : { next: href }
}

/** @returns the address if it is a path of this site, and no way back to the sign-in page itself */
export function ownPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > NEXT_MAX) return undefined
  if (!URL.canParse(address, location.origin)) return undefined
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  const isOwn = /^\/(?![/\\])/.test(address) && origin === location.origin
  return isOwn && pathname !== '/auth' ? `${pathname}${search}${hash}` : undefined
}
