import { IconVolume, IconVolume2, IconVolumeOff } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { ControlButton } from './control-button.tsx'
import classes from './volume-control.module.css'

/**
 * The slider appears on hover and focus. It stays until the pointer leaves the row of controls, because those beside it
 * would move away from a press.
 */
export function VolumeControl() {
  const player = usePlayer()
  const isMuted = usePlayerState((state) => state.isMuted)
  const set = usePlayerState((state) => state.volume)
  const volume = isMuted ? 0 : set
  const root = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => followPointer(root.current, setOpen), [])
  /** Left and right move the slider; up and down belong to the player. */
  const pressKey = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    player.stepVolume(direction as 1 | -1)
  }
  return (
    <div ref={root} className={classes.volume} data-open={isOpen ? '' : undefined}>
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

/** @returns a stop function */
function followPointer(
  volume: HTMLElement | null,
  setOpen: (isOpen: boolean) => void,
): (() => void) | undefined {
  const controls = volume?.parentElement
  if (!controls) return undefined
  const listeners = new AbortController()
  const { signal } = listeners
  // The focus and the pressed button are known only after the event.
  const closeIfUnused = () =>
    setTimeout(() => {
      const isFocused = volume.matches(':has(:focus-visible, :active)')
      if (!isFocused && !controls.matches(':hover')) setOpen(false)
    })
  volume.addEventListener('pointerenter', () => setOpen(true), { signal })
  volume.addEventListener('focusin', () => setOpen(true), { signal })
  controls.addEventListener('pointerleave', closeIfUnused, { signal })
  controls.addEventListener('focusout', closeIfUnused, { signal })
  addEventListener('pointerup', closeIfUnused, { signal })
  return () => listeners.abort()
}
