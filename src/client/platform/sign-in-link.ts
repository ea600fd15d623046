import { useLocation } from '@tanstack/react-router'
import { ownPath } from '#shared/own-path.ts'

/** Returns to the current page after sign-in. */
export function useSignInLink() {
  const href = useLocation({ select: (location) => location.href })
  return { to: '/auth', search: signInSearch(href) } as const
}

/** Home is the default. */
export function signInSearch(href: string): { next?: string } {
  return href === '/' ? {} : { next: href }
}

/** Returns the path to open after a sign-in, or undefined for other sites and the sign-in page. */
export function nextPathOf(address: unknown): string | undefined {
  const path = ownPath(address, location.origin)
  return path && new URL(path, location.origin).pathname !== '/auth' ? path : undefined
}
