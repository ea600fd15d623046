/** A speech bubble with nothing in it, 48 by 48, for the empty state. */
export function SpeechDrawing() {
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
      <path d="M6 9h36v24H22l-9 8v-8H6z" />
      <path d="M15 21h2M23 21h2M31 21h2" stroke="var(--volt)" />
    </svg>
  )
}
