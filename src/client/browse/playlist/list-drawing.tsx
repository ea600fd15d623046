/** A list without entries, 48 by 48, for the empty state. */
export function ListDrawing() {
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
      <path d="M7 11h34M7 21h22M7 31h14" />
      <path d="M36 27v14M29 34h14" stroke="var(--volt)" />
    </svg>
  )
}
