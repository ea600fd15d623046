const SHOWN = new Set([
  ...['batch', 'category', 'format', 'limit', 'offset', 'page', 'parts', 'sort', 'tab'],
])
/** Shorter than any secret. */
const VALUE = /^[\w,.-]{0,12}$/
/** Share links; the router ignores case and percent-encoding. */
const LINK = /^[\\/]+(?:.*[\\/])?s[\\/].*/is
/** Pages whose links carry a code. */
const CODE_PAGE = /^([\\/]+(?:auth|reset|unsubscribe|verify))[\\/=].*/is
/** Long names in these paths are names of files and calls. In other paths they may be codes that were pasted. */
const LONG_NAMES = /^[\\/]+(?:assets|cdn|media|trpc)[\\/]/i
const CODE = /(?<=[\\/])(?=[^\\/]*[A-Z\d])[\w-]{16,}(?=$|[\\/])/g
/** Other characters in place of `?`. */
const MISWRITTEN = /[?#;&].*/s

/** Keeps harmless parameters, marks others. */
export function loggedAddress(url: string): string {
  const [address = '', query] = url.split(/[?#](.*)/s)
  const path = decode(address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''))
  const shownPath = LINK.test(path)
    ? '/s/…'
    : hideCodes(path.replace(CODE_PAGE, '$1…').replace(MISWRITTEN, '…'))
  if (!query) return shownPath
  const pairs = query.split('&')
  const shown = pairs.filter((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return SHOWN.has(name) && VALUE.test(value)
  })
  return `${shownPath}?${[...shown, ...(shown.length < pairs.length ? ['…'] : [])].join('&')}`
}

function hideCodes(path: string): string {
  return LONG_NAMES.test(path) ? path : path.replaceAll(CODE, '…')
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replace(/%.*/s, '…')
  }
}
