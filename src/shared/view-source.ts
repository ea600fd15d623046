export const VIEW_SOURCES = ['site', 'direct', 'search', 'external', 'embed'] as const
export type ViewSource = (typeof VIEW_SOURCES)[number]

const SEARCH_ENGINE =
  /(^|\.)(google|bing|duckduckgo|yahoo|ecosia|startpage|qwant|yandex|baidu|kagi)\.[a-z.]+$|^search\.brave\.com$/

/** `direct`: typed, bookmarked, or without a referrer. */
export function classifyReferrer(referrer: string, origin: string): ViewSource {
  if (referrer === '') return 'direct'
  try {
    const url = new URL(referrer)
    if (url.origin === origin) return 'site'
    return SEARCH_ENGINE.test(url.hostname) ? 'search' : 'external'
  } catch {
    return 'direct'
  }
}
