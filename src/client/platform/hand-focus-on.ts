/**
 * A ref for the items of a list: one that goes away with the focus in it hands it to the same kind of
 * button of its neighbour, or to what is around the list when it was the last.
 */
export function handFocusOn(item: HTMLElement | null) {
  if (!item) return
  return () => {
    const focused = document.activeElement
    if (!focused || !item.contains(focused)) return
    const neighbour = item.nextElementSibling ?? item.previousElementSibling
    const label = focused.getAttribute('aria-label')
    const sameButton = label ? `button[aria-label="${CSS.escape(label)}"]` : 'button'
    const next = neighbour?.querySelector(sameButton) ?? item.closest('[tabindex="-1"]')
    if (next instanceof HTMLElement) next.focus()
  }
}
