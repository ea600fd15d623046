import { look, row } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { useProcessingStatus } from '#client/platform/video/own-work.ts'
import { paceText, stageText } from '#client/platform/video/processing-texts.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './processing-note.module.css'

/** Over the picture. */
export function ProcessingNote({
  video,
}: {
  video: Pick<Video, 'id' | 'title' | 'processingState'>
}) {
  const status = useProcessingStatus(video, { isOwn: true })
  const percent = Math.round(status?.percent ?? 0)
  const pace = paceText(status)
  return (
    <div className={`${row(8, 'start')} ${classes.note}`}>
      <span>
        {stageText(status)}
        {pace && <span className={look('block', 'size12')}>{pace}</span>}
      </span>
      {status?.stage !== 'waiting' && (
        <span className={look('marginStartAuto', 'display')}>
          <RollingNumber value={percent}>{`${percent}%`}</RollingNumber>
        </span>
      )}
      <ProgressTrack percent={percent} title={video.title} />
    </div>
  )
}

function ProgressTrack({ percent, title }: { percent: number; title: string }) {
  return <WorkBar label={`Preparing ${title}`} percent={percent} className={classes.track} />
}
