/** The address whose tags the server has written into the page's head. */
const servedPath = document.head.querySelector('[data-page]') ? location.pathname : null

/** Whether the head still carries what the server wrote about the page at `path`. */
export function hasServedTags(path: string): boolean {
  return path === servedPath && document.head.querySelector('[data-page]') !== null
}

/** Takes the server's tags out of the head, once another page than theirs is shown. */
export function dropServedTags(path: string): void {
  if (path === servedPath) return
  for (const tag of document.head.querySelectorAll('[data-page]')) tag.remove()
}
