import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { PlainPlayer } from '#client/kit/video/plain-player.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import classes from '../admin.module.css'
import styles from './approvals.module.css'

type ApprovalStageProps = {
  video: Video
  /**
   * On mount.
   * @returns called on unmount
   */
  onVideo: (element: HTMLVideoElement) => () => void
  isApproving: boolean
  onApprove: () => void
  onReject: () => void
}

export function ApprovalStage(props: ApprovalStageProps) {
  const { video, onVideo, isApproving, onApprove, onReject } = props
  return (
    <section
      className={`${styles.stage} ${stack(12, 'atTop')}`}
      aria-label={`Reviewing "${video.title}"`}
    >
      {video.videoUrl ? (
        <PlainPlayer video={{ ...video, videoUrl: video.videoUrl }} onVideo={onVideo} />
      ) : (
        <p
          className={look(
            'centred',
            'widescreen',
            'pad16',
            'card',
            'skeletonGround',
            'muted',
            'centredText',
          )}
        >
          {video.processingState === 'failed'
            ? 'This video could not be prepared.'
            : 'This video is still being prepared.'}
        </p>
      )}
      <h2 className={look('breakWords', 'heading')}>
        <Link to="/video/$id" params={{ id: String(video.id) }}>
          {video.title}
        </Link>
      </h2>
      <p className={look('muted')}>
        {video.channel?.displayName ?? 'Anonymous'}
        {video.isAnonymous && ' (anonymous)'} · {video.category} · {formatDuration(video.duration)}
        {video.tags.length > 0 && ` · ${video.tags.map((tag) => `#${tag}`).join(' ')}`}
      </p>
      {video.description && <p className={styles.description}>{video.description}</p>}
      <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
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
