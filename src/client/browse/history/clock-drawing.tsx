import { Drawing } from '#client/kit/drawings/drawing.tsx'

export function ClockDrawing() {
  return (
    <Drawing>
      <path d="M9 17a17 17 0 1 1-2 9" />
      <path d="M8 8v10h10" />
      <path d="M24 15v10l7 5" stroke="var(--volt)" />
    </Drawing>
  )
}
