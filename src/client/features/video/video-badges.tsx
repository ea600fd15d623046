import type { Video } from '#shared/video.schemas.ts'
import { Badge } from '../../components/badge.tsx'

/** False for most: they need no place for them. */
export function hasBadges(video: Video): boolean {
  const { isAnonymous, channel, contentApproved, processingState } = video
  return (isAnonymous && channel !== null) || !contentApproved || processingState !== 'ready'
}

/** What sets a video apart for its owner and admins; others see only videos without any of it. */
export function VideoBadges({ video }: { video: Video }) {
  const { isAnonymous, channel, contentApproved, processingState } = video
  return (
    <>
      {isAnonymous && channel && <Badge>Anonymous</Badge>}
      {!contentApproved && <Badge tone="waiting">Pending Approval</Badge>}
      {processingState === 'processing' && <Badge tone="waiting">Processing</Badge>}
      {processingState === 'failed' && <Badge tone="wrong">Failed</Badge>}
    </>
  )
}
