import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { ProcessingStatus } from '#shared/video.schemas.ts'
import { RollingNumber } from '../../components/rolling-number.tsx'
import { trpc } from '../../trpc.ts'
import classes from './processing-note.module.css'

const POLL_MS = 1000

/** How far the work on a video is, asked every second until it is done; then the lists are read again. */
export function ProcessingNote({ videoId, title }: { videoId: number; title: string }) {
  const utils = trpc.useUtils()
  const { data: status } = trpc.video.processingStatus.useQuery(
    { id: videoId },
    { staleTime: 0, refetchInterval: (query) => (isOver(query.state.data) ? false : POLL_MS) },
  )
  const over = isOver(status)
  useEffect(() => {
    if (over) void utils.video.invalidate()
  }, [over, utils])
  const percent = Math.round(status?.percent ?? 0)
  const isWaiting = status?.stage === 'waiting'
  return (
    <div className={classes.note}>
      <span>
        {isWaiting ? `Waiting in line, place ${status.queuePosition}` : 'Preparing your video'}
      </span>
      {!isWaiting && (
        <span className={classes.percent}>
          <RollingNumber value={percent}>{`${percent}%`}</RollingNumber>
        </span>
      )}
      <div
        className={classes.track}
        role="progressbar"
        aria-label={`Preparing ${title}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={classes.bar} style={{ scale: `${percent / 100} 1` }} />
      </div>
    </div>
  )
}

const isOver = (status: ProcessingStatus | undefined) =>
  status !== undefined && status.processingState !== 'processing'

/** Why a video could not be prepared. */
export function FailedNote({ error }: { error: string | null }) {
  return (
    <div className={`${classes.note} ${classes.failed}`}>
      <IconAlertTriangle size={18} aria-hidden />
      <p className={classes.sentence}>
        Your video could not be prepared. {error ?? 'The reason is not known.'}
      </p>
    </div>
  )
}
