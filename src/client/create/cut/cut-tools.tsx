import { Button } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconCut,
  IconPlayerPause,
  IconPlayerPlay,
  IconVolume,
  IconVolumeOff,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { formatTenths } from '#shared/text/format.ts'
import classes from './cut-tools.module.css'
import type { CutEditing } from './use-cut-editing.ts'

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

/** Playhead actions and zoom. */
export function CutTools({ editing }: { editing: CutEditing }) {
  const { player, state, edit, segments, index, view } = editing
  const { isPlaying, isMuted, seconds } = state
  const isKept = segments[index]?.isKept ?? true
  const durationSeconds = segments.at(-1)?.toSeconds ?? 0
  const isWhole = view.toSeconds - view.fromSeconds >= durationSeconds
  return (
    <div className={row([8, 16], 'wrap', 'between')} role="toolbar" aria-label="Cutting">
      <span className={row([4, 8], 'wrap')}>
        <IconButton aria-label={isPlaying ? 'Pause' : 'Play'} onClick={player.toggle}>
          {isPlaying ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
        </IconButton>
        <IconButton aria-label="Previous frame" onClick={() => player.step(-1)}>
          <IconChevronLeft {...ICON} />
        </IconButton>
        <IconButton aria-label="Next frame" onClick={() => player.step(1)}>
          <IconChevronRight {...ICON} />
        </IconButton>
        <IconButton aria-label={isMuted ? 'Sound on' : 'Sound off'} onClick={player.toggleMute}>
          {isMuted ? <IconVolumeOff {...ICON} /> : <IconVolume {...ICON} />}
        </IconButton>
        <span className={look('muted', 'nowrap')}>
          <span className={look('strong', 'textColor')}>{formatTenths(seconds)}</span> /{' '}
          {formatTenths(durationSeconds)}
        </span>
      </span>
      <span className={row([4, 8], 'wrap')}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconCut {...ICON} size={18} />}
          onClick={editing.split}
        >
          Split
        </Button>
        <Button variant="default" size="sm" className={classes.drop} onClick={editing.toggleHere}>
          {isKept ? 'Remove this part' : 'Keep this part'}
        </Button>
        <IconButton aria-label="Undo" disabled={edit.past.length === 0} onClick={editing.undo}>
          <IconArrowBackUp {...ICON} />
        </IconButton>
        <IconButton aria-label="Redo" disabled={edit.future.length === 0} onClick={editing.redo}>
          <IconArrowForwardUp {...ICON} />
        </IconButton>
      </span>
      <span className={row([4, 8], 'wrap')}>
        <IconButton aria-label="Zoom out" disabled={isWhole} onClick={() => editing.zoom(2)}>
          <IconZoomOut {...ICON} />
        </IconButton>
        <Button variant="subtle" size="sm" disabled={isWhole} onClick={editing.fit}>
          Fit
        </Button>
        <IconButton aria-label="Zoom in" onClick={() => editing.zoom(0.5)}>
          <IconZoomIn {...ICON} />
        </IconButton>
      </span>
    </div>
  )
}
