import { useLocation } from '@tanstack/react-router'

const NEXT_MAX = 1000

/** Returns to the current page after sign-in. */
export function useSignInLink() {
  const href = useLocation({ select: (location) => location.href })
  return { to: '/auth', search: signInSearch(href) } as const
}

/** Home is the default. */
export function signInSearch(href: string): { next?: string } {
  return href === '/' ? {} : { next: href }
}

/** @returns undefined for other sites and the sign-in page */
export function ownPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > NEXT_MAX) return undefined
  if (!URL.canParse(address, location.origin)) return undefined
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  const isOwn = /^\/(?![/\\])/.test(address) && origin === location.origin
  return isOwn && pathname !== '/auth' ? `${pathname}${search}${hash}` : undefined
}
