import type { CSSProperties } from 'react'
import { hueOf } from '#shared/hue-of.ts'
import classes from './initials.module.css'

/** For a channel without a picture. */
export function Initials({ name, size }: { name: string; size: number }) {
  return (
    <svg
      className={classes.initials}
      style={{ '--hue': hueOf(name) } as CSSProperties}
      width={size}
      height={size}
      viewBox="0 0 72 72"
      aria-hidden="true"
    >
      <text x={36} y={37} textAnchor="middle" dominantBaseline="central">
        {initialsOf(name)}
      </text>
    </svg>
  )
}

/** 'Tin Can' → 'TC', 'Yuki' → 'Y'. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
