import '#client/kit/styles/mantine-pages.css'
import { look } from '#client/kit/layout/layout.ts'
import '@mantine/core/styles/Slider.layer.css'
import { Radio, Skeleton, Slider } from '@mantine/core'
import { useId } from 'react'
import { trpc } from '#client/trpc.ts'
import type { PosterFrame } from '#shared/schemas/video.schemas.ts'
import { formatTenths } from '#shared/text/format.ts'
import classes from './frame-strip.module.css'

const STEP_SECONDS = 0.1
const SKELETONS = [0, 1, 2, 3, 4, 5]

type FrameStripProps = {
  videoId: number
  durationSeconds: number
  /** Chosen time. */
  seconds: number | undefined
  isDisabled: boolean
  onChoose: (seconds: number) => void
}

/** Sampled frames, and a slider for others. */
export function FrameStrip(props: FrameStripProps) {
  const { videoId, durationSeconds, seconds, isDisabled, onChoose } = props
  const frames = trpc.video.posterFrames.useQuery({ id: videoId }, { staleTime: 0 })
  const name = useId()
  const text = seconds === undefined ? 'Choose a frame' : `Frame at ${formatTenths(seconds)}`
  return (
    <>
      {frames.isPending && (
        <div className={classes.frames} role="status" aria-label="Loading frames">
          {SKELETONS.map((index) => (
            <Skeleton key={index} className={classes.tile} />
          ))}
        </div>
      )}
      {frames.data && frames.data.length > 0 && (
        <div className={classes.frames} role="radiogroup" aria-label="Frames">
          {frames.data.map((frame) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: Mantine's Radio is its control.
            <label key={frame.atSeconds} className={classes.frame}>
              <Radio
                unstyled
                classNames={{
                  radio: `${classes.radio} ${look('fullWidth', 'coverAnchor', 'fullHeight')}`,
                }}
                icon={NoIcon}
                name={name}
                aria-label={`Frame at ${formatTenths(frame.atSeconds)}`}
                checked={frame.atSeconds === seconds}
                disabled={isDisabled}
                onChange={() => onChoose(frame.atSeconds)}
              />
              <Tile frame={frame} />
            </label>
          ))}
        </div>
      )}
      <div className={look('note')}>
        <span aria-hidden="true">{text}</span>
        <Slider
          thumbLabel={text}
          thumbValueText={formatTenths}
          label={null}
          min={0}
          max={durationSeconds}
          step={STEP_SECONDS}
          value={seconds ?? 0}
          disabled={isDisabled}
          onChange={onChoose}
        />
      </div>
    </>
  )
}

/** The frame itself is highlighted. */
const NoIcon = () => null

/** Part of a sheet, fitted into 16 : 9. */
function Tile({ frame }: { frame: PosterFrame }) {
  const { x, y, width, height, url } = frame
  return (
    <span className={classes.tile}>
      <svg
        viewBox={`${x} ${y} ${width} ${height}`}
        style={{ aspectRatio: width / height }}
        aria-hidden="true"
      >
        <image href={url} />
      </svg>
    </span>
  )
}
