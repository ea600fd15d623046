import { useState } from 'react'
import classes from './rolling-number.module.css'

type RollingNumberProps = {
  value: number
  /** Formatted value. */
  children?: string
}

const isCalm = matchMedia('(prefers-reduced-motion: reduce)')

type Shown = { value: number; text: string; before?: { text: string; roll: 'up' | 'down' } }

/** Rolls to its next value; screen readers get plain text. */
export function RollingNumber({ value, children: text = String(value) }: RollingNumberProps) {
  const [shown, setShown] = useState<Shown>({ value, text })
  if (shown.value !== value || shown.text !== text) {
    const roll = value > shown.value ? 'up' : 'down'
    const rolls = shown.text !== text && !isCalm.matches
    setShown({ value, text, ...(rolls && { before: { text: shown.text, roll } }) })
  }
  const { before } = shown
  return (
    <span className={classes.window}>
      {before && (
        <span
          key={`${before.text} ${shown.text}`}
          className={classes.before}
          data-roll={before.roll}
          aria-hidden="true"
          onAnimationEnd={() => setShown({ value, text })}
        >
          {before.text}
        </span>
      )}
      <span key={shown.text} className={classes.now} data-roll={before?.roll}>
        {shown.text}
      </span>
    </span>
  )
}
