/** A clock that runs backwards, 48 by 48, for the empty state. */
export function ClockDrawing() {
  return (
    <svg
      width={48}
      height={48}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="square"
      aria-hidden="true"
    >
      <path d="M9 17a17 17 0 1 1-2 9" />
      <path d="M8 8v10h10" />
      <path d="M24 15v10l7 5" stroke="var(--volt)" />
    </svg>
  )
}
