import { row } from '#client/kit/layout/layout.ts'
import '@mantine/core/styles/Slider.layer.css'
import { Button, RangeSlider } from '@mantine/core'
import { useRef } from 'react'
import { formatTenths } from '#shared/text/format.ts'
import { LocalPreview } from '../form/local-preview.tsx'
import classes from './trim-dialog.module.css'
import type { TrimRange } from './trim-source.ts'

/** Seconds. */
const SHORTEST = 1
const STEP = 1

type TrimRangeFieldProps = {
  file: File
  durationSeconds: number
  range: TrimRange
  isDisabled: boolean
  onChange: (range: TrimRange) => void
}

/** The preview follows the handles. */
export function TrimRangeField(props: TrimRangeFieldProps) {
  const { file, durationSeconds, range, isDisabled, onChange } = props
  const stage = useRef<HTMLDivElement>(null)
  const video = () => stage.current?.querySelector('video')
  const set = (fromSeconds: number, toSeconds: number) => {
    const shown = video()
    if (shown) shown.currentTime = fromSeconds === range.fromSeconds ? toSeconds : fromSeconds
    onChange({ fromSeconds, toSeconds })
  }
  const playhead = () => Math.min(video()?.currentTime ?? 0, durationSeconds)
  const startHere = () => {
    const at = Math.min(playhead(), durationSeconds - SHORTEST)
    onChange({ fromSeconds: at, toSeconds: Math.max(range.toSeconds, at + SHORTEST) })
  }
  const endHere = () => {
    const at = Math.max(playhead(), SHORTEST)
    onChange({ fromSeconds: Math.min(range.fromSeconds, at - SHORTEST), toSeconds: at })
  }
  return (
    <>
      <div ref={stage} className={classes.stage}>
        <LocalPreview file={file} />
      </div>
      <RangeSlider
        thumbFromLabel="Start of the part"
        thumbToLabel="End of the part"
        thumbValueText={formatTenths}
        label={formatTenths}
        min={0}
        max={durationSeconds}
        step={STEP}
        minRange={SHORTEST}
        pushOnOverlap={false}
        value={[range.fromSeconds, range.toSeconds]}
        disabled={isDisabled}
        onChange={([from, to]) => set(from, to)}
      />
      <div className={row([8, 12], 'wrap', 'between')}>
        <Button variant="default" size="sm" disabled={isDisabled} onClick={startHere}>
          Start here
        </Button>
        <p>
          {formatTenths(range.fromSeconds)} – {formatTenths(range.toSeconds)}
        </p>
        <Button variant="default" size="sm" disabled={isDisabled} onClick={endHere}>
          End here
        </Button>
      </div>
    </>
  )
}
