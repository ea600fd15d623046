import { ActionIcon } from '@mantine/core'
import {
  IconArrowsMove,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconReload,
  IconX,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { type MiniCorner, rememberPlayer } from '../core/player-memory.ts'
import { endPlayer } from '../host/hosted-player.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { usePlayerMemory } from '../use-player-memory.ts'
import { dragToCorner } from './drag-to-corner.ts'
import classes from './mini-player.module.css'

type MiniPlayerProps = {
  video: Video
  frame: RefObject<HTMLElement | null>
  /** Queue. */
  list?: string | undefined
  onNext?: (() => void) | undefined
}

export function MiniPlayer({ video, frame, list, onNext }: MiniPlayerProps) {
  const { title, channel } = video
  const hintId = useId()
  const hasKeys = useHasKeys()
  const navigate = useNavigate()
  const corner = usePlayerMemory('miniCorner')
  useEffect(() => {
    const element = frame.current
    element?.setAttribute('data-corner', corner)
    return () => element?.removeAttribute('data-corner')
  }, [frame, corner])
  const place = {
    to: '/video/$id',
    params: { id: String(video.id) },
    search: list === undefined ? {} : { list },
  } as const
  const close = () => {
    endPlayer()
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    close()
  }
  const move = (event: KeyboardEvent) => {
    const to = cornerAfter(corner, event.key)
    if (!to) return
    event.preventDefault()
    rememberPlayer({ miniCorner: to })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from each of its buttons.
    <div
      className={classes.controls}
      onKeyDown={press}
      onPointerDown={(event) => frame.current && dragToCorner(event, frame.current)}
    >
      <Link
        {...place}
        className={classes.picture}
        aria-label={`Back to ${title}`}
        draggable={false}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          void navigate(place)
        }}
      />
      <div className={classes.bar}>
        <Link
          {...place}
          className={`${column(0, 'fill', 'noUnderline')} ${classes.words}`}
          tabIndex={-1}
          draggable={false}
        >
          <span className={look('strong', 'oneLine', 'size13')}>{title}</span>
          <span className={look('fine', 'oneLine')}>{channel?.displayName ?? 'Anonymous'}</span>
        </Link>
        <PlayButton />
        {onNext && (
          <MiniButton label="Next video" onPress={onNext}>
            <IconPlayerTrackNextFilled size={20} aria-hidden />
          </MiniButton>
        )}
        <ActionIcon
          className={`${look('noShrink', 'square')} ${classes.move}`}
          aria-label="Move the mini player"
          aria-describedby={hasKeys ? hintId : undefined}
          title={hasKeys ? 'Drag it, or press the arrow keys' : 'Drag it to another corner'}
          onKeyDown={move}
        >
          <IconArrowsMove size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
        <MiniButton label="Close the mini player" onPress={close}>
          <IconX size={22} stroke={1.75} aria-hidden />
        </MiniButton>
      </div>
      {hasKeys && (
        <p id={hintId} hidden>
          The arrow keys move it to another corner.
        </p>
      )}
    </div>
  )
}

function PlayButton() {
  const player = usePlayer()
  const isPaused = usePlayerState((state) => state.isPaused)
  const hasEnded = usePlayerState((state) => state.hasEnded)
  const label = hasEnded ? 'Replay' : isPaused ? 'Play' : 'Pause'
  const Icon = hasEnded ? IconReload : isPaused ? IconPlayerPlayFilled : IconPlayerPauseFilled
  return (
    <MiniButton label={label} onPress={player.togglePlay}>
      <Icon size={22} aria-hidden />
    </MiniButton>
  )
}

type MiniButtonProps = {
  label: string
  className?: string | undefined
  onPress: () => void
  children: ReactNode
}

function MiniButton({ label, className = '', onPress, children }: MiniButtonProps) {
  return (
    <ActionIcon
      className={`${look('noShrink', 'square')} ${className}`}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      {children}
    </ActionIcon>
  )
}

/** For an arrow key. */
function cornerAfter(corner: MiniCorner, key: string): MiniCorner | undefined {
  const [row, column] = corner.split('-')
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return `${row}-${key === 'ArrowLeft' ? 'left' : 'right'}` as MiniCorner
    case 'ArrowUp':
    case 'ArrowDown':
      return `${key === 'ArrowUp' ? 'top' : 'bottom'}-${column}` as MiniCorner
  }
}
