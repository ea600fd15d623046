import { Drawing } from './drawing.tsx'

export function UnpluggedDrawing() {
  return (
    <Drawing>
      <path d="M3 24h9M12 17h8v14h-8zM20 21h4M20 27h4" />
      <path d="M45 24h-9M36 17h-6v14h6z" />
      <path d="M27 11l-2-4M33 9l1-4" stroke="var(--volt)" />
    </Drawing>
  )
}
