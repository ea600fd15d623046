const OPENED = '[aria-modal="true"], dialog[open], [role="dialog"], [popover]:popover-open'

/** While a dialog or popover is open, the keys of the page behind it do nothing. */
export function hasOpenDialog(): boolean {
  return [...document.querySelectorAll(OPENED)].some((one) => one.checkVisibility())
}
