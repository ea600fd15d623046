import { Button } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { formatDuration } from '#shared/text/format.ts'
import { isInSight, mayContinue } from '../core/may-continue.ts'
import type { Player } from '../core/player.ts'
import type { NextVideo } from '../core/player-state.ts'
import { usePlayer } from '../player-context.ts'
import classes from './next-up.module.css'

const COUNTDOWN_SECONDS = 8
/** Least rest of the countdown after a pause: time to read and cancel. */
const LEFT_AFTER_WAIT_SECONDS = 5
const WAIT_LOOK_MS = 250

/** Counts down to the next video. */
export function NextUp({ next, onCancel }: { next: NextVideo; onCancel: () => void }) {
  const player = usePlayer()
  const { left, isWaiting } = useCountdown(player)
  const attach = useCallback(
    (root: HTMLElement | null) => borrowFocus(root, player.core.frame),
    [player],
  )
  return (
    <section className={classes.root} aria-label="Up next" ref={attach}>
      <p
        className={`${classes.heading} ${look('heading', 'display')}`}
        role="timer"
        aria-live="off"
      >
        {isWaiting ? (
          'Up next'
        ) : (
          <>
            Up next in <b>{left}</b>
          </>
        )}
      </p>
      <div className={`${column(8)} ${classes.card}`}>
        <div className={`${classes.picture} ${look('card', 'widescreen')}`}>
          {next.thumbnailUrl && <FittedImage src={next.thumbnailUrl} />}
          {next.durationSeconds > 0 && (
            <span className={classes.duration}>{formatDuration(next.durationSeconds)}</span>
          )}
          <span
            className={classes.progress}
            style={{ scale: `${1 - left / COUNTDOWN_SECONDS} 1` }}
          />
        </div>
        <div className={`${classes.words} ${look('centredText')}`}>
          <p className={`${look('twoLines', 'strong')} ${classes.title}`}>{next.title}</p>
          <p className={classes.channel}>{next.channelName}</p>
        </div>
      </div>
      <div className={row(12, 'stretch')}>
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

/** Pauses while the next video would disturb. */
function useCountdown(player: Player) {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS)
  const [isWaiting, setWaiting] = useState(() => !mayContinue(player.core.frame))
  useEffect(() => {
    if (left === 0) {
      player.playNext()
      return
    }
    if (!isWaiting) {
      const timer = setTimeout(() => {
        if (mayContinue(player.core.frame)) setLeft(left - 1)
        else setWaiting(true)
      }, 1000)
      return () => clearTimeout(timer)
    }
    const timer = setInterval(() => {
      if (!mayContinue(player.core.frame)) return
      setLeft(Math.max(left, LEFT_AFTER_WAIT_SECONDS))
      setWaiting(false)
    }, WAIT_LOOK_MS)
    return () => clearInterval(timer)
  }, [left, isWaiting, player])
  return { left, isWaiting }
}

/** Focuses the cancel button for keyboard users; restores the focus afterwards. */
function borrowFocus(root: HTMLElement | null, frame: HTMLElement | undefined) {
  const player = root?.closest('[role="group"]')
  const before = document.activeElement
  // If the player is out of sight, the space bar should scroll the page, not press the button.
  if (!root || !isInSight(frame)) return
  if (!(before === document.body || player?.contains(before))) return
  root.querySelector('button')?.focus({ preventScroll: true })
  return () => {
    if (!root.contains(document.activeElement)) return
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
