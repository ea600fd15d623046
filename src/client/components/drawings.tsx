import type { ReactNode } from 'react'

/** Small line drawings for empty states, 48 by 48, in the text's colour. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      width={48}
      height={48}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="square"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** An empty strip of film. */
export function FilmDrawing() {
  return (
    <Drawing>
      <path d="M5 12h38v24H5z" />
      <path d="M13 12v24M35 12v24M5 20h8M5 28h8M35 20h8M35 28h8" />
      <path d="M21 19.5v9l7.5-4.5z" stroke="var(--volt)" strokeLinejoin="miter" />
    </Drawing>
  )
}

/** A bell that does not ring. */
export function BellDrawing() {
  return (
    <Drawing>
      <path d="M12 33V22a12 12 0 0 1 24 0v11l4 4H8z" />
      <path d="M20 41h8" stroke="var(--volt)" />
    </Drawing>
  )
}

/** A cable that leads nowhere. */
export function UnpluggedDrawing() {
  return (
    <Drawing>
      <path d="M3 24h9M12 17h8v14h-8zM20 21h4M20 27h4" />
      <path d="M45 24h-9M36 17h-6v14h6z" />
      <path d="M27 11l-2-4M33 9l1-4" stroke="var(--volt)" />
    </Drawing>
  )
}

/** A crosshair with nothing in it. */
export function LostDrawing() {
  return (
    <Drawing>
      <path d="M4 14V4h10M34 4h10v10M44 34v10H34M14 44H4V34" />
      <path d="M16 19c0-5 3.5-7 8-7s8 2.5 8 6.5c0 5-8 5-8 11" />
      <path d="M24 36v1" stroke="var(--volt)" strokeWidth={3} />
    </Drawing>
  )
}

/** A stack of pictures to play one after the other. */
export function StackDrawing() {
  return (
    <Drawing>
      <path d="M12 5h24M8 11h32M5 17h38v26H5z" />
      <path d="M21 25.5v9l7.5-4.5z" stroke="var(--volt)" strokeLinejoin="miter" />
    </Drawing>
  )
}

/** Two people, and room for a third. */
export function PeopleDrawing() {
  return (
    <Drawing>
      <path d="M12 17a6 6 0 1 0 12 0 6 6 0 0 0-12 0zM5 40v-4a9 9 0 0 1 9-9h8a9 9 0 0 1 9 9v4" />
      <path d="M31 11.5a6 6 0 0 1 0 11M36 27.5a9 9 0 0 1 7 8.5v4" />
      <path d="M39 5v8M35 9h8" stroke="var(--volt)" />
    </Drawing>
  )
}

/** A glass that finds nothing. */
export function GlassDrawing() {
  return (
    <Drawing>
      <path d="M6 20a14 14 0 1 0 28 0 14 14 0 0 0-28 0zM30.5 30.5 42 42" />
      <path d="M16 16l8 8M24 16l-8 8" stroke="var(--volt)" />
    </Drawing>
  )
}
