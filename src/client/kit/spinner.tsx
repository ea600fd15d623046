import { Mark } from './mark.tsx'

/** `label` for screen readers. */
export function Spinner({ size = 32, label = 'Loading' }: { size?: number; label?: string }) {
  return (
    <span role="status" aria-label={label}>
      <Mark size={size} className="spinning-mark" />
    </span>
  )
}

export function PageSpinner() {
  return (
    <div className="page-spinner">
      <Spinner size={48} />
    </div>
  )
}
