import { classifyReferrer, type ViewSource } from '#shared/view-source.ts'

/** What led to the page that is shown: for all but the first one, the site itself. */
export function viewSource(): ViewSource {
  const [first] = performance.getEntriesByType('navigation')
  const wasFirst = first !== undefined && new URL(first.name).pathname === location.pathname
  return wasFirst ? classifyReferrer(document.referrer, location.origin) : 'site'
}
