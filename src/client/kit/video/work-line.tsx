import { useProcessingStatus } from '#client/platform/video/own-work.ts'
import { ladderText, paceText, stageText } from '#client/platform/video/processing-texts.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { look } from '../layout/layout.ts'
import { WorkBar } from '../list/work-bar.tsx'
import { ProcessingActions } from './processing-actions.tsx'
import classes from './work-line.module.css'

type Worked = Pick<Video, 'id' | 'title' | 'processingState'>

/** Before the video plays. */
export function ProcessingLine({ video }: { video: Worked }) {
  const status = useProcessingStatus(video, { isOwn: true })
  const isWaiting = status?.stage === 'waiting'
  return (
    <Line
      text={stageText(status)}
      pace={paceText(status)}
      percent={status?.percent ?? 0}
      showsPercent={!isWaiting}
      label={`Preparing ${video.title}`}
    />
  )
}

/** Background work of a playing video, or its failure, with actions. */
export function LadderLine({
  video,
  className,
}: {
  video: Worked
  className?: string | undefined
}) {
  const ladder = useProcessingStatus(video, { isOwn: true })?.ladder
  if (video.processingState !== 'ready' || !ladder) return null
  if (ladder.state === 'done') return null
  return (
    <div className={className}>
      {ladder.state === 'failed' ? (
        <p className={classes.reason}>{ladderText(ladder)}</p>
      ) : (
        <Line
          text={ladderText(ladder)}
          pace={paceText(ladder)}
          percent={ladder.percent}
          showsPercent={ladder.state === 'running'}
          label={`Preparing more qualities of ${video.title}`}
        />
      )}
      <p className={look('above8')}>
        <ProcessingActions video={video} ladder={ladder} />
      </p>
    </div>
  )
}

type LineProps = {
  text: string
  pace: string
  percent: number
  showsPercent: boolean
  label: string
}

function Line({ text, pace, percent, showsPercent, label }: LineProps) {
  const rounded = Math.round(percent)
  return (
    <div className={classes.line}>
      <span>
        {text}
        {showsPercent && ` ${rounded}%`}
      </span>
      <span className={look('block', 'fine')}>{pace}</span>
      <WorkBar label={label} percent={percent} className={classes.track} />
    </div>
  )
}
