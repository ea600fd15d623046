/** Page whose tags came from the server. */
const servedPath = document.head.querySelector('[data-page]') ? location.pathname : null

export function hasServedTags(path: string): boolean {
  return path === servedPath && document.head.querySelector('[data-page]') !== null
}

/** On navigation to another page. */
export function dropServedTags(path: string): void {
  if (path === servedPath) return
  for (const tag of document.head.querySelectorAll('[data-page]')) tag.remove()
}
