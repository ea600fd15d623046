import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import classes from '../admin.module.css'
import styles from './approvals.module.css'

type ApprovalStageProps = {
  video: Video
  player: RefObject<HTMLVideoElement | null>
  isApproving: boolean
  onApprove: () => void
  onReject: () => void
}

/** The video under review, with all that is said about it. */
export function ApprovalStage(props: ApprovalStageProps) {
  const { video, player, isApproving, onApprove, onReject } = props
  return (
    <section className={styles.stage} aria-label={`Reviewing "${video.title}"`}>
      {video.videoUrl ? (
        // biome-ignore lint/a11y/useMediaCaption: an upload that waits has none yet.
        <video
          ref={player}
          className={styles.video}
          src={video.videoUrl}
          poster={video.thumbnailUrl ?? undefined}
          controls
          playsInline
          preload="metadata"
        />
      ) : (
        <p className={styles.waiting}>
          {video.processingState === 'failed'
            ? 'This video could not be prepared.'
            : 'This video is still being prepared.'}
        </p>
      )}
      <h2 className={styles.title}>
        <Link to="/video/$id" params={{ id: String(video.id) }}>
          {video.title}
        </Link>
      </h2>
      <p className={classes.quiet}>
        {video.channel?.displayName ?? 'Anonymous'}
        {video.isAnonymous && ' (anonymous)'} · {video.category} · {formatDuration(video.duration)}
        {video.tags.length > 0 && ` · ${video.tags.map((tag) => `#${tag}`).join(' ')}`}
      </p>
      {video.description && <p className={styles.description}>{video.description}</p>}
      <div className={classes.row}>
        <Button onClick={onApprove} disabled={isApproving}>
          {isApproving ? 'Approving...' : 'Approve'}
        </Button>
        <Button variant="outline" color="pulse" onClick={onReject}>
          Reject
        </Button>
      </div>
    </section>
  )
}
