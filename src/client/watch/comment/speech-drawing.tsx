import { Drawing } from '#client/kit/drawings/drawing.tsx'

/** 48 by 48, for the empty state. */
export function SpeechDrawing() {
  return (
    <Drawing>
      <path d="M6 9h36v24H22l-9 8v-8H6z" />
      <path d="M15 21h2M23 21h2M31 21h2" stroke="var(--volt)" />
    </Drawing>
  )
}
