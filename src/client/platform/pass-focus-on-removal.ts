/**
 * Ref for list items: a removed item passes its focus to the same button of a neighbour, or to what
 * is around the list.
 */
export function passFocusOnRemoval(item: HTMLElement | null) {
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
