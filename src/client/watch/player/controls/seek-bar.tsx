import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { type StoryboardTile, tileAt } from '#client/platform/video/storyboard.ts'
import { chapterAt } from '#shared/chapters.ts'
import { formatDuration } from '#shared/text/format.ts'
import { markAt } from '../core/comment-marks.ts'
import { originOf } from '../core/play-range.ts'
import type { PlayerSurroundings } from '../core/player-state.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { HeatCurve } from './heat-curve.tsx'
import classes from './seek-bar.module.css'
import { SeekTrack } from './seek-track.tsx'

const SeekPreview = lazyPart(() => import('./seek-preview.tsx'), null, null)

const PAGE_SHARE = 0.1
const MARK_NEAR_SHARE = 0.012

type SeekBarProps = Pick<PlayerSurroundings, 'chapters' | 'marks' | 'heat' | 'moments'> & {
  tiles: readonly StoryboardTile[]
  /** Called before tiles are needed. */
  onApproach: () => void
  /** Seconds reached by a swipe over the picture. */
  swipedTo: number | null
}

export function SeekBar(props: SeekBarProps) {
  const { chapters, marks, heat, moments, tiles, onApproach, swipedTo } = props
  const player = usePlayer()
  const time = usePlayerState((state) => state.time)
  const duration = usePlayerState((state) => state.duration)
  const [pointedAt, setPointedAt] = useState<number>()
  const [scrubbed, setScrubbed] = useState<number>()
  const wasPlaying = useRef(false)
  const shown = scrubbed ?? swipedTo ?? undefined
  const preview = shown ?? pointedAt
  const chapter = preview === undefined ? undefined : chapterAt(chapters, preview)

  const secondsAt = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(Math.max((event.clientX - left) / width, 0), 1) * duration
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    onApproach()
    wasPlaying.current = !player.get().isPaused
    if (wasPlaying.current) player.pause()
    scrub(secondsAt(event))
  }
  const move = (event: PointerEvent) => {
    const seconds = secondsAt(event)
    if (event.pointerType !== 'touch') setPointedAt(seconds)
    if (scrubbed !== undefined) scrub(seconds)
  }
  const scrub = (seconds: number) => {
    setScrubbed(seconds)
    // Waits for the previous seek.
    if (!player.core.video?.seeking) player.seek(seconds)
  }
  const release = (event: PointerEvent) => {
    if (scrubbed === undefined) return
    player.seek(event.type === 'pointercancel' ? scrubbed : secondsAt(event))
    setScrubbed(undefined)
    if (wasPlaying.current) player.play()
  }
  const pressKey = (event: KeyboardEvent) => {
    const page = { PageUp: 1, PageDown: -1 }[event.key]
    if (page === undefined) return
    event.preventDefault()
    player.skip(Math.round(page * PAGE_SHARE * duration))
  }
  return (
    <div
      className={classes.root}
      role="slider"
      tabIndex={0}
      aria-label="Seek"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(shown ?? time)}
      aria-valuetext={valueText(shown ?? time, duration, chapterAt(chapters, shown ?? time)?.title)}
      data-scrubbing={scrubbed !== undefined || undefined}
      style={
        { '--pointed': preview === undefined ? 0 : preview / (duration || 1) } as CSSProperties
      }
      onPointerEnter={() => {
        SeekPreview.preload()
        onApproach()
      }}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={() => setPointedAt(undefined)}
      onKeyDown={pressKey}
    >
      {preview !== undefined && (
        <SeekPreview
          seconds={preview}
          share={preview / (duration || 1)}
          tile={tileAt(tiles, originOf(player.core) + preview)}
          chapter={chapter?.title}
          markCount={markCountAt(moments, preview)}
          mark={markAt(marks, preview, duration * MARK_NEAR_SHARE)}
        />
      )}
      {heat.length > 0 && <HeatCurve heat={heat} />}
      <SeekTrack chapters={chapters} marks={marks} heldAt={shown} pointedAt={pointedAt} />
    </div>
  )
}

function markCountAt(moments: PlayerSurroundings['moments'], seconds: number): number {
  const here = moments.filter(
    ({ atSeconds, endSeconds }) => atSeconds <= seconds && seconds <= endSeconds,
  )
  return here.reduce((sum, { count }) => sum + count, 0)
}

function valueText(time: number, duration: number, chapter: string | undefined): string {
  const place = `${formatDuration(time)} of ${formatDuration(duration)}`
  return chapter ? `${place}, ${chapter}` : place
}
