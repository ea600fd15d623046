import { IconWifiOff } from '@tabler/icons-react'
import { look, row } from '#client/kit/layout/layout.ts'
import { Spinner } from '#client/kit/spinner.tsx'
import { useConnectionLost } from '#client/platform/use-connection-lost.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import classes from './waiting.module.css'

/** Loading, or connection lost. */
export function Waiting() {
  const isWaiting = usePlayerState((state) => state.isWaiting)
  const isReconnecting = usePlayerState((state) => state.isReconnecting && state.isWaiting)
  const isFullScreen = usePlayerState((state) => state.isFullScreen)
  const { isEmbedded } = usePlayer().options
  const isLost = useConnectionLost()
  // The page already says so, if visible.
  const isShownByPage = isLost && !isFullScreen && !isEmbedded
  if (isReconnecting && !isShownByPage) {
    return (
      <div className={`${classes.centre} ${look('centred', 'coverAnchor')}`}>
        <p className={`${row(8)} ${classes.lost}`} role="status">
          <IconWifiOff size={20} aria-hidden />
          Reconnecting…
        </p>
      </div>
    )
  }
  if (!isWaiting) return null
  return (
    <div className={`${classes.centre} ${look('centred', 'coverAnchor')}`}>
      <Spinner size={56} label="Loading the video" />
    </div>
  )
}
