import { Drawing } from '#client/kit/drawings/drawing.tsx'

export function ListDrawing() {
  return (
    <Drawing>
      <path d="M7 11h34M7 21h22M7 31h14" />
      <path d="M36 27v14M29 34h14" stroke="var(--volt)" />
    </Drawing>
  )
}
