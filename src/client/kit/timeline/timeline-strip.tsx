import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { type StoryboardTile, tileAt } from '#client/platform/video/storyboard.ts'
import { look } from '../layout/layout.ts'
import { TilePicture } from '../video/tile-picture.tsx'
import { lengthOf, shareAt, type TimeWindow } from './time-window.ts'
import classes from './timeline-strip.module.css'
import { WavePlot } from './wave-plot.tsx'

const PICTURE_HEIGHT = 56
const WIDE = 16 / 9

type TimelineStripProps = {
  window: TimeWindow
  tiles: readonly StoryboardTile[]
  /** From `useWaveform`. */
  peaks: Uint8Array | null
  /** Overlay as wide as the window. */
  children?: ReactNode
}

/** Tiles above the waveform. */
export function TimelineStrip({ window, tiles, peaks, children }: TimelineStripProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={look('relative')}>
      <div className={look('rounded', 'ground', 'clipped')} aria-hidden="true">
        <Pictures {...{ window, tiles, width }} />
        {peaks && <WavePlot {...{ window, peaks, width }} />}
      </div>
      {children}
    </div>
  )
}

/** At multiples of a tile's length, so that scrolling changes none. */
function Pictures({ window, tiles, width }: Omit<TimelineStripProps, 'peaks'> & { width: number }) {
  const [first] = tiles
  const aspect = first ? first.width / first.height : WIDE
  const picture = { width: PICTURE_HEIGHT * aspect, height: PICTURE_HEIGHT }
  const step = (picture.width / (width || 1)) * lengthOf(window)
  const begin = Math.floor(window.fromSeconds / step)
  const count = width > 0 && first ? Math.ceil(window.toSeconds / step) - begin : 0
  const places = Array.from({ length: count }, (_, index) => begin + index)
  return (
    <div className={classes.pictures}>
      {places.map((place) => {
        const tile = tileAt(tiles, (place + 0.5) * step)
        const left = `${shareAt(window, place * step) * 100}%`
        return (
          <span key={place} className={classes.picture} style={{ left }}>
            {tile && <TilePicture tile={tile} {...picture} />}
          </span>
        )
      })}
    </div>
  )
}
