import { Mark } from './mark.tsx'

/** The mark, turning. `label` is what a screen reader hears. */
export function Spinner({ size = 32, label = 'Loading' }: { size?: number; label?: string }) {
  return (
    <span role="status" aria-label={label}>
      <Mark size={size} className="spinning-mark" />
    </span>
  )
}

/** The turning mark in the middle of the window. */
export function PageSpinner() {
  return (
    <div className="page-spinner">
      <Spinner size={48} />
    </div>
  )
}
