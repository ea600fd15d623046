const LENGTH_MAX = 1000

/** Returns the path, query and fragment of an address on this site, or undefined for other sites. */
export function ownPath(address: unknown, origin: string): string | undefined {
  if (typeof address !== 'string' || address.length > LENGTH_MAX) return undefined
  // Browsers read '//' and '/\\' as the start of a host.
  if (!/^\/(?![/\\])/.test(address)) return undefined
  const url = URL.parse(address, origin)
  return url?.origin === origin ? `${url.pathname}${url.search}${url.hash}` : undefined
}
