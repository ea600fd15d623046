import { Drawing } from './drawing.tsx'

export function PeopleDrawing() {
  return (
    <Drawing>
      <path d="M12 17a6 6 0 1 0 12 0 6 6 0 0 0-12 0zM5 40v-4a9 9 0 0 1 9-9h8a9 9 0 0 1 9 9v4" />
      <path d="M31 11.5a6 6 0 0 1 0 11M36 27.5a9 9 0 0 1 7 8.5v4" />
      <path d="M39 5v8M35 9h8" stroke="var(--volt)" />
    </Drawing>
  )
}
