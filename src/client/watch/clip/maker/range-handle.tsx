import type { KeyboardEvent } from 'react'
import { formatTenths } from '#shared/text/format.ts'
import type { RangeEdge } from './choose-range.ts'
import classes from './range-strip.module.css'

const NAMES = { start: 'Start of the clip', end: 'End of the clip' }
const SECOND = 1
const PAGE_SECONDS = 5

type RangeHandleProps = {
  edge: RangeEdge
  seconds: number
  durationSeconds: number
  frameSeconds: number
  /** 0 to 1, along the strip. */
  share: number
  hintId: string | undefined
  onMove: (toSeconds: number) => void
}

/** The strip handles pointers. */
export function RangeHandle(props: RangeHandleProps) {
  const { edge, seconds, durationSeconds, frameSeconds, share, hintId, onMove } = props
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      event.currentTarget.closest('form')?.requestSubmit()
      return
    }
    const to = goalOf(event, { seconds, durationSeconds, frameSeconds })
    if (to === undefined) return
    event.preventDefault()
    onMove(to)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.handle}
      data-edge={edge}
      style={{ left: `${share * 100}%` }}
      aria-label={NAMES[edge]}
      aria-describedby={hintId}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationSeconds * 100) / 100}
      aria-valuenow={Math.round(seconds * 100) / 100}
      aria-valuetext={formatTenths(seconds)}
      onKeyDown={press}
    />
  )
}

type Place = { seconds: number; durationSeconds: number; frameSeconds: number }

/** With Shift some layouts change `,` and `.`. */
function goalOf({ key, code, shiftKey }: KeyboardEvent, place: Place): number | undefined {
  const { seconds, durationSeconds, frameSeconds } = place
  const step = shiftKey ? SECOND : frameSeconds
  const isBack = key === ',' || key === '<' || (shiftKey && code === 'Comma')
  if (isBack || key === 'ArrowLeft' || key === 'ArrowDown') return seconds - step
  const isForward = key === '.' || key === '>' || (shiftKey && code === 'Period')
  if (isForward || key === 'ArrowRight' || key === 'ArrowUp') return seconds + step
  if (key === 'PageDown') return seconds - PAGE_SECONDS
  if (key === 'PageUp') return seconds + PAGE_SECONDS
  if (key === 'Home') return 0
  if (key === 'End') return durationSeconds
}
