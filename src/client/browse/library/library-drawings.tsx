import { Drawing } from '#client/kit/drawings/drawing.tsx'

export function ShelfDrawing() {
  return (
    <Drawing>
      <path d="M5 39h38M9 39V13h7v26M16 19h7v20" />
      <path d="M29 38l7-20" stroke="var(--volt)" />
    </Drawing>
  )
}

export function HourglassDrawing() {
  return (
    <Drawing>
      <path d="M12 6h24M12 42h24M15 6v8l9 10-9 10v8M33 6v8l-9 10 9 10v8" />
      <path d="M21 38h6" stroke="var(--volt)" />
    </Drawing>
  )
}

export function HeartDrawing() {
  return (
    <Drawing>
      <path d="M24 40 7 23a10 10 0 0 1 0-14 10 10 0 0 1 14 0l3 3 3-3a10 10 0 0 1 14 0 10 10 0 0 1 0 14z" />
      <path d="M31 15c2-1 4 0 5 2" stroke="var(--volt)" />
    </Drawing>
  )
}
