import {
  IconGauge,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react'
import { column } from '#client/kit/layout/layout.ts'
import type { Feedback } from '../core/player-state.ts'
import { usePlayerState } from '../player-context.ts'
import classes from './bezel.module.css'

const ICONS = {
  play: IconPlayerPlayFilled,
  pause: IconPlayerPauseFilled,
  back: IconPlayerTrackPrevFilled,
  forward: IconPlayerTrackNextFilled,
  volume: IconVolume,
  muted: IconVolumeOff,
  speed: IconGauge,
}

const WORDLESS: Feedback['icon'][] = ['play', 'pause']

/** Shows briefly what a key or tap did; announced to screen readers. */
export function Bezel() {
  const feedback = usePlayerState((state) => state.feedback)
  return (
    <>
      {feedback && <Sign key={feedback.id} feedback={feedback} />}
      <span className="visually-hidden" role="status" aria-live="polite">
        {feedback?.text}
      </span>
    </>
  )
}

function Sign({ feedback }: { feedback: Feedback }) {
  const { icon, text } = feedback
  const Icon = icon in ICONS ? ICONS[icon as keyof typeof ICONS] : undefined
  return (
    <div
      className={`${column(8, 'middle', 'centre')} ${classes.sign}`}
      data-side={icon}
      aria-hidden="true"
    >
      {Icon && (
        <span className={classes.icon}>
          <Icon size={32} />
        </span>
      )}
      {!WORDLESS.includes(icon) && <span className={classes.text}>{text}</span>}
    </div>
  )
}
