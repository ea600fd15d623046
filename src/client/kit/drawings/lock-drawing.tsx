import { Drawing } from './drawing.tsx'

export function LockDrawing() {
  return (
    <Drawing>
      <path d="M8 22h32v20H8z" />
      <path d="M15 22v-7c0-6 3.5-9 9-9s9 3 9 9v7" />
      <path d="M24 30v4" stroke="var(--volt)" strokeWidth={3} />
    </Drawing>
  )
}
