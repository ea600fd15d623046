import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { formatDuration } from '#shared/text/format.ts'
import type { NextVideo } from '../core/player-state.ts'
import { usePlayer } from '../player-context.ts'
import classes from './next-up.module.css'

const COUNTDOWN_SECONDS = 8

/** After the end: the next video, which begins by itself unless one says otherwise. */
export function NextUp({ next, onCancel }: { next: NextVideo; onCancel: () => void }) {
  const player = usePlayer()
  const left = useCountdown(player.playNext)
  return (
    <section className={classes.root} aria-label="Up next" ref={borrowFocus}>
      <p className={classes.heading} role="timer" aria-live="off">
        Up next in <b>{left}</b>
      </p>
      <div className={classes.card}>
        <div className={classes.picture}>
          {next.thumbnailUrl && <FittedImage src={next.thumbnailUrl} />}
          {next.durationSeconds > 0 && (
            <span className={classes.duration}>{formatDuration(next.durationSeconds)}</span>
          )}
          <span
            className={classes.progress}
            style={{ scale: `${1 - left / COUNTDOWN_SECONDS} 1` }}
          />
        </div>
        <div className={classes.words}>
          <p className={classes.title}>{next.title}</p>
          <p className={classes.channel}>{next.channelName}</p>
        </div>
      </div>
      <div className={classes.actions}>
        <Button variant="default" className={classes.cancel} onClick={onCancel}>
          Cancel
        </Button>
        <Button className={classes.play} onClick={player.playNext}>
          Play now
        </Button>
      </div>
    </section>
  )
}

/** Counts to nothing, but not while going on would lose something. */
function useCountdown(onOver: () => void): number {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS)
  useEffect(() => {
    if (left === 0) {
      onOver()
      return
    }
    const timer = setInterval(() => {
      if (!isOccupied()) setLeft((before) => before - 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [left, onOver])
  return left
}

/** Whether something would get lost by going on: what is being typed, or a dialog that is open. */
export function isOccupied(): boolean {
  if (document.querySelector('[aria-modal="true"]')) return true
  const focused = document.activeElement
  const isField = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement
  return isField && focused.type !== 'range' && focused.value !== ''
}

/** For those who use the keys: the way out is under their fingers, and then what was there before. */
function borrowFocus(root: HTMLElement | null) {
  const player = root?.closest('[role="group"]')
  const before = document.activeElement
  if (!root || !(before === document.body || player?.contains(before))) return
  root.querySelector('button')?.focus({ preventScroll: true })
  return () => {
    if (!root.contains(document.activeElement)) return
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
