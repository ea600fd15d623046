import { IconVolumeOff } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import classes from './sound-button.module.css'

/** While the browser forbids sound. */
export function SoundButton() {
  const player = usePlayer()
  const isHeld = usePlayerState((state) => state.isSoundHeld)
  if (!isHeld) return null
  return (
    <button type="button" className={`${row(8)} ${classes.button}`} onClick={player.toggleMute}>
      <IconVolumeOff size={20} aria-hidden="true" />
      Turn on sound
    </button>
  )
}
