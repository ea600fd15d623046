import { Drawing } from './drawing.tsx'

export function LostDrawing() {
  return (
    <Drawing>
      <path d="M4 14V4h10M34 4h10v10M44 34v10H34M14 44H4V34" />
      <path d="M16 19c0-5 3.5-7 8-7s8 2.5 8 6.5c0 5-8 5-8 11" />
      <path d="M24 36v1" stroke="var(--volt)" strokeWidth={3} />
    </Drawing>
  )
}
