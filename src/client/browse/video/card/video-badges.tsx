import { Badge } from '@mantine/core'
import type { Video } from '#shared/schemas/video.schemas.ts'

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
      {isAnonymous && channel && <Badge variant="scrim">Anonymous</Badge>}
      {!contentApproved && (
        <Badge variant="scrim" data-tone="waiting">
          Pending Approval
        </Badge>
      )}
      {processingState === 'processing' && (
        <Badge variant="scrim" data-tone="waiting">
          Processing
        </Badge>
      )}
      {processingState === 'failed' && (
        <Badge variant="scrim" data-tone="wrong">
          Failed
        </Badge>
      )}
    </>
  )
}
