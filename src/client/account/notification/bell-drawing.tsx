import { Drawing } from '#client/kit/drawings/drawing.tsx'

/** Illustrates an empty list of notifications. */
export function BellDrawing() {
  return (
    <Drawing>
      <path d="M12 33V22a12 12 0 0 1 24 0v11l4 4H8z" />
      <path d="M20 41h8" stroke="var(--volt)" />
    </Drawing>
  )
}
