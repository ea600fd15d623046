import { Drawing } from './drawing.tsx'

export function FilmDrawing() {
  return (
    <Drawing>
      <path d="M5 12h38v24H5z" />
      <path d="M13 12v24M35 12v24M5 20h8M5 28h8M35 20h8M35 28h8" />
      <path d="M21 19.5v9l7.5-4.5z" stroke="var(--volt)" strokeLinejoin="miter" />
    </Drawing>
  )
}
