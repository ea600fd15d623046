/** Must match app-shell.module.css, where the sidebar gives way to the tab bar: also on a phone turned sideways. */
export const PHONE_SCREEN =
  '(max-width: 767.98px), (max-width: 1199.98px) and (max-height: 500px) and (orientation: landscape)'
