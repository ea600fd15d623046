import { IconVolume, IconVolume2, IconVolumeOff } from '@tabler/icons-react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { ControlButton } from './control-button.tsx'
import classes from './volume-control.module.css'

/** The slider appears on hover. */
export function VolumeControl() {
  const player = usePlayer()
  const isMuted = usePlayerState((state) => state.isMuted)
  const set = usePlayerState((state) => state.volume)
  const volume = isMuted ? 0 : set
  /** Left and right move the slider; up and down belong to the player. */
  const pressKey = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    player.stepVolume(direction as 1 | -1)
  }
  return (
    <div className={classes.volume}>
      <ControlButton label={isMuted ? 'Unmute' : 'Mute'} shortcut="m" onClick={player.toggleMute}>
        {volume === 0 ? <IconVolumeOff /> : volume < 0.5 ? <IconVolume2 /> : <IconVolume />}
      </ControlButton>
      <input
        type="range"
        className={classes.slider}
        aria-label="Volume"
        aria-valuetext={`${Math.round(volume * 100)}%${isMuted ? ', muted' : ''}`}
        min={0}
        max={1}
        step={0.01}
        value={volume}
        style={{ '--level': `${volume * 100}%` } as CSSProperties}
        onChange={(event) => player.setVolume(event.currentTarget.valueAsNumber)}
        onKeyDown={pressKey}
      />
    </div>
  )
}
