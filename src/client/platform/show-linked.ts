/** Scrolls to the element that the address names and focuses it, so that it is read out. */
export function showLinked(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}
