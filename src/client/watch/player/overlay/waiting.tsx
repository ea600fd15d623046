import { IconWifiOff } from '@tabler/icons-react'
import { Spinner } from '#client/kit/spinner.tsx'
import { usePlayerState } from '../player-context.ts'
import classes from './waiting.module.css'

/** Why nothing moves: the picture is on its way, or the connection is lost. */
export function Waiting() {
  const isWaiting = usePlayerState((state) => state.isWaiting)
  const isReconnecting = usePlayerState((state) => state.isReconnecting && state.isWaiting)
  if (isReconnecting) {
    return (
      <div className={classes.centre}>
        <p className={classes.lost} role="status">
          <IconWifiOff size={20} aria-hidden />
          Reconnecting…
        </p>
      </div>
    )
  }
  if (!isWaiting) return null
  return (
    <div className={classes.centre}>
      <Spinner size={56} label="Loading the video" />
    </div>
  )
}
