import { IconAlertTriangle } from '@tabler/icons-react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { column, look, row, wrapped } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { ProcessingActions } from '#client/kit/video/processing-actions.tsx'
import { useProcessingStatus } from '#client/platform/video/own-work.ts'
import { paceText, stageText } from '#client/platform/video/processing-texts.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './processing-panel.module.css'

type ProcessingPanelProps = {
  video: Pick<Video, 'id' | 'title' | 'thumbnailUrl' | 'processingState' | 'processingError'>
  /** False for an admin. */
  isOwn: boolean
}

/** For the owner, until the video plays. */
export default function ProcessingPanel({ video, isOwn }: ProcessingPanelProps) {
  return (
    <div
      className={`${classes.root} ${look('centred', 'relative', 'pad16', 'surface', 'clipped')}`}
    >
      {video.thumbnailUrl && (
        <img
          className={`${classes.poster} ${look('fullWidth', 'coverAnchor', 'fullHeight', 'cropped')}`}
          src={video.thumbnailUrl}
          alt=""
        />
      )}
      <div className={`${column(12, 'centre')} ${classes.panel}`}>
        {video.processingState === 'failed' ? (
          <FailedProcessing video={video} isOwn={isOwn} />
        ) : (
          <RunningProcessing video={video} isOwn={isOwn} />
        )}
      </div>
    </div>
  )
}

function RunningProcessing({ video, isOwn }: ProcessingPanelProps) {
  const status = useProcessingStatus(video, { isOwn })
  const percent = Math.round(status?.percent ?? 0)
  return (
    <>
      <p className={row(12, 'between', 'baseline', 'fullWidth')}>
        <span className={look('heading', 'display')} role="status">
          {stageText(status)}
        </span>
        {status?.stage === 'preparing' && (
          <span className={look('heading', 'display')}>
            <RollingNumber value={percent}>{`${percent}%`}</RollingNumber>
          </span>
        )}
      </p>
      <WorkBar
        label={isOwn ? 'Preparing your video' : 'Preparing the video'}
        percent={percent}
        height={6}
        className={look('fullWidth')}
      />
      <p className={look('note', 'hiddenWhenEmpty')}>{paceText(status)}</p>
      <p className={look('note', 'hiddenWhenEmpty')}>
        {isOwn
          ? 'Only you can see this page until the video is ready. You can leave; preparation continues.'
          : 'Only its owner and admins can see this page until the video is ready.'}
      </p>
      <div className={wrapped(8, 'middle', 'above4')}>
        <ProcessingActions video={video} size="md" />
      </div>
    </>
  )
}

function FailedProcessing({ video, isOwn }: ProcessingPanelProps) {
  return (
    <>
      <IconAlertTriangle className={look('errorColor')} size={32} aria-hidden />
      <p className={look('heading', 'display')} role="alert">
        {isOwn ? 'Your video could not be prepared' : 'This video could not be prepared'}
      </p>
      <p className={look('breakWords')}>{video.processingError ?? 'The reason is unknown.'}</p>
      {isOwn && (
        <p className={look('note', 'hiddenWhenEmpty')}>
          Check whether the file plays on your computer. If it does, export it as MP4 and upload it
          again.
        </p>
      )}
      <div className={wrapped(8, 'middle', 'above4')}>
        <ProcessingActions video={video} size="md" />
        {isOwn && <LinkButton to="/upload">Upload again</LinkButton>}
      </div>
    </>
  )
}
