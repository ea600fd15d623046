import { Drawing } from './drawing.tsx'

export function GlassDrawing() {
  return (
    <Drawing>
      <path d="M6 20a14 14 0 1 0 28 0 14 14 0 0 0-28 0zM30.5 30.5 42 42" />
      <path d="M16 16l8 8M24 16l-8 8" stroke="var(--volt)" />
    </Drawing>
  )
}
