/** Parameters whose values the log may have: none of them opens anything, or holds words that somebody typed. */
const SHOWN = new Set([
  ...['batch', 'category', 'format', 'limit', 'offset', 'page', 'parts', 'sort', 'tab'],
])
/** Shorter than any code. */
const VALUE = /^[\w,.-]{0,12}$/
/** Share links; the router reads percent signs and letters of either case alike. */
const LINK = /^[\\/]+(?:.*[\\/])?s[\\/].*/is
/** Parameters after a character that was written in place of `?`. */
const MISWRITTEN = /[?#;&].*/s

/**
 * An address for the log, without the codes, tokens and passwords that open something: those of its parameters that are
 * known to be harmless, and a mark for the others.
 */
export function loggedAddress(url: string): string {
  const [address = '', query] = url.split(/[?#](.*)/s)
  const path = decode(address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''))
  const shownPath = LINK.test(path) ? '/s/…' : path.replace(MISWRITTEN, '…')
  if (!query) return shownPath
  const pairs = query.split('&')
  const shown = pairs.filter((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return SHOWN.has(name) && VALUE.test(value)
  })
  return `${shownPath}?${[...shown, ...(shown.length < pairs.length ? ['…'] : [])].join('&')}`
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replace(/%.*/s, '…')
  }
}
