/** For a row of tabs or links that may be wider than the screen: it opens with the current one in sight. */
export function showCurrent(list: HTMLElement | null): void {
  const current = list?.querySelector<HTMLElement>('[aria-selected="true"], [aria-current="page"]')
  // Only the row itself: scrollIntoView would move the page as well.
  if (list && current) list.scrollLeft = current.offsetLeft + current.offsetWidth - list.clientWidth
}
