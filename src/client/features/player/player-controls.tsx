import {
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconVolume,
  IconVolume2,
  IconVolumeOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDuration } from '#shared/format.ts'
import type { MediaState } from './media-state.ts'
import classes from './player-controls.module.css'
import { SeekBar } from './seek-bar.tsx'

type PlayerControlsProps = {
  media: MediaState
  isFullScreen: boolean
  onTogglePlay: () => void
  onSeek: (seconds: number) => void
  onVolume: (volume: number) => void
  onToggleMute: () => void
  onToggleFullScreen: () => void
}

/** The bar at the bottom of the player. */
export function PlayerControls(props: PlayerControlsProps) {
  const { media, isFullScreen } = props
  const { isPaused, time, duration, buffered } = media
  return (
    <div className={classes.bar}>
      <SeekBar time={time} duration={duration} buffered={buffered} onSeek={props.onSeek} />
      <div className={classes.row}>
        <ControlButton label={isPaused ? 'Play (k)' : 'Pause (k)'} onClick={props.onTogglePlay}>
          {isPaused ? <IconPlayerPlayFilled /> : <IconPlayerPauseFilled />}
        </ControlButton>
        <VolumeControl media={media} onVolume={props.onVolume} onToggleMute={props.onToggleMute} />
        <span className={classes.time}>
          {formatDuration(time)} / {formatDuration(duration)}
        </span>
        <span className={classes.gap} />
        <ControlButton
          label={isFullScreen ? 'Exit full screen (f)' : 'Full screen (f)'}
          onClick={props.onToggleFullScreen}
        >
          {isFullScreen ? <IconMinimize /> : <IconMaximize />}
        </ControlButton>
      </div>
    </div>
  )
}

function VolumeControl({
  media,
  onVolume,
  onToggleMute,
}: Pick<PlayerControlsProps, 'media' | 'onVolume' | 'onToggleMute'>) {
  const volume = media.isMuted ? 0 : media.volume
  return (
    <div className={classes.volume}>
      <ControlButton label={media.isMuted ? 'Unmute (m)' : 'Mute (m)'} onClick={onToggleMute}>
        {volume === 0 ? <IconVolumeOff /> : volume < 0.5 ? <IconVolume2 /> : <IconVolume />}
      </ControlButton>
      <input
        type="range"
        className={classes.slider}
        aria-label="Volume"
        aria-valuetext={`${Math.round(volume * 100)}%`}
        min={0}
        max={1}
        step={0.05}
        value={volume}
        style={{ '--level': `${volume * 100}%` } as React.CSSProperties}
        onChange={(event) => onVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}

type ControlButtonProps = { label: string; onClick: () => void; children: ReactNode }

function ControlButton({ label, onClick, children }: ControlButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
