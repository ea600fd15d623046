import {
  IconBadgeCc,
  IconBadgeCcFilled,
  IconChevronRight,
  IconMapPin,
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconPictureInPictureOff,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
  IconReload,
} from '@tabler/icons-react'
import { useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import type { StoryboardTile } from '#client/platform/video/storyboard.ts'
import { type Chapter, chapterAt } from '#shared/chapters.ts'
import { formatDuration } from '#shared/text/format.ts'
import type { PlayerSurroundings } from '../core/player-state.ts'
import type { SettingsPage } from '../menu/settings-menu.tsx'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { usePlayerMemory } from '../use-player-memory.ts'
import classes from './control-bar.module.css'
import { ControlButton } from './control-button.tsx'
import { SeekBar } from './seek-bar.tsx'
import { SettingsButton } from './settings-button.tsx'
import { TheatreIcon } from './theatre-icon.tsx'
import { VolumeControl } from './volume-control.tsx'

type ControlBarProps = PlayerSurroundings & {
  tiles: readonly StoryboardTile[]
  onApproach: () => void
  swipedTo: number | null
  settingsPage: SettingsPage | null
  onSettings: (page: SettingsPage | null) => void
}

export function ControlBar(props: ControlBarProps) {
  const { chapters, next, previous, settingsPage, onSettings } = props
  const player = usePlayer()
  return (
    <div className={classes.bar}>
      <SeekBar {...props} />
      <div className={`${row(0)} ${classes.row}`}>
        {previous && (
          <ControlButton
            label={`Previous: ${previous.title}`}
            shortcut="Shift+P"
            className={classes.wide}
            tipAlign="start"
            onClick={player.playPrevious}
          >
            <IconPlayerTrackPrevFilled size={20} />
          </ControlButton>
        )}
        <PlayButton />
        {next && (
          <ControlButton
            label={`Next: ${next.title}`}
            shortcut="Shift+N"
            className={classes.wide}
            tipAlign="start"
            onClick={player.playNext}
          >
            <IconPlayerTrackNextFilled size={20} />
          </ControlButton>
        )}
        <VolumeControl />
        <TimeDisplay />
        <ChapterButton chapters={chapters} onOpen={() => onSettings('chapters')} />
        <span className={look('grow')} />
        {props.onMark && <MarkButton />}
        <CaptionsButton />
        <SettingsButton chapters={chapters} page={settingsPage} onChange={onSettings} />
        <PictureInPictureButton />
        {!player.options.isEmbedded && <TheatreButton />}
        <FullScreenButton />
      </div>
    </div>
  )
}

export function PlayButton() {
  const player = usePlayer()
  const isPaused = usePlayerState((state) => state.isPaused)
  const hasEnded = usePlayerState((state) => state.hasEnded)
  const label = hasEnded ? 'Replay' : isPaused ? 'Play' : 'Pause'
  return (
    <ControlButton label={label} shortcut="k" tipAlign="start" onClick={player.togglePlay}>
      {hasEnded ? <IconReload /> : isPaused ? <IconPlayerPlayFilled /> : <IconPlayerPauseFilled />}
    </ControlButton>
  )
}

export function TimeDisplay() {
  const duration = usePlayerState((state) => Math.round(state.duration))
  const seconds = usePlayerState((state) => (state.hasEnded ? duration : Math.floor(state.time)))
  const [showsRest, setShowsRest] = useState(false)
  const time = showsRest ? `−${formatDuration(duration - seconds)}` : formatDuration(seconds)
  return (
    <button
      type="button"
      className={classes.time}
      title={showsRest ? 'Show the time played' : 'Show the time left'}
      onClick={() => setShowsRest(!showsRest)}
    >
      {time} / {formatDuration(duration)}
    </button>
  )
}

type ChapterButtonProps = { chapters: readonly Chapter[]; onOpen: () => void }

function ChapterButton({ chapters, onOpen }: ChapterButtonProps) {
  const title = usePlayerState((state) => chapterAt(chapters, state.time)?.title)
  if (!title) return null
  return (
    <button
      type="button"
      className={classes.chapter}
      aria-haspopup="menu"
      aria-label={`Chapter: ${title}`}
      data-opener=""
      onClick={onOpen}
    >
      <span>{title}</span>
      <IconChevronRight size={16} aria-hidden />
    </button>
  )
}

function MarkButton() {
  const player = usePlayer()
  return (
    <ControlButton label="Mark this moment" shortcut="b" onClick={player.markMoment}>
      <IconMapPin />
    </ControlButton>
  )
}

function CaptionsButton() {
  const player = usePlayer()
  const isOn = usePlayerState((state) => state.caption >= 0)
  const hasCaptions = usePlayerState((state) => state.captions.length > 0)
  if (!hasCaptions) return null
  return (
    <ControlButton
      label="Captions"
      shortcut="Shift+C"
      aria-pressed={isOn}
      onClick={() => player.toggleCaptions()}
    >
      {isOn ? <IconBadgeCcFilled /> : <IconBadgeCc />}
    </ControlButton>
  )
}

function PictureInPictureButton() {
  const player = usePlayer()
  const isOut = usePlayerState((state) => state.isPictureInPicture)
  if (!document.pictureInPictureEnabled) return null
  return (
    <ControlButton
      label={isOut ? 'Leave picture in picture' : 'Picture in picture'}
      shortcut="i"
      className={classes.wide}
      onClick={() => void player.togglePictureInPicture()}
    >
      {isOut ? <IconPictureInPictureOff /> : <IconPictureInPicture />}
    </ControlButton>
  )
}

function TheatreButton() {
  const player = usePlayer()
  const isTheatre = usePlayerMemory('isTheatre')
  return (
    <ControlButton
      label={isTheatre ? 'Default view' : 'Theatre mode'}
      shortcut="t"
      className={classes.theatre}
      tipAlign="end"
      onClick={player.toggleTheatre}
    >
      <TheatreIcon isTheatre={isTheatre} />
    </ControlButton>
  )
}

export function FullScreenButton() {
  const player = usePlayer()
  const isFullScreen = usePlayerState((state) => state.isFullScreen)
  return (
    <ControlButton
      label={isFullScreen ? 'Exit full screen' : 'Full screen'}
      shortcut="f"
      tipAlign="end"
      onClick={player.toggleFullScreen}
    >
      {isFullScreen ? <IconMinimize /> : <IconMaximize />}
    </ControlButton>
  )
}
