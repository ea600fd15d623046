import { Drawing } from './drawing.tsx'

export function StackDrawing() {
  return (
    <Drawing>
      <path d="M12 5h24M8 11h32M5 17h38v26H5z" />
      <path d="M21 25.5v9l7.5-4.5z" stroke="var(--volt)" strokeLinejoin="miter" />
    </Drawing>
  )
}
