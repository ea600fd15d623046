import type { Video, VideoState } from './schemas/video.schemas.ts'

export type VideoCondition = Exclude<VideoState, 'all'>

export const VIDEO_STATE_WORDS: Record<VideoCondition, string> = {
  published: 'Published',
  pending: 'Pending Approval',
  rejected: 'Rejected',
  hidden: 'Hidden',
  processing: 'Processing',
  failed: 'Failed',
}

type Judged = Pick<Video, 'contentApproved' | 'rejectionReason' | 'withheld' | 'processingState'>

/** Of several states, the one that its owner has to act on first. */
export function videoStateOf(video: Judged): VideoCondition {
  if (!video.contentApproved && video.withheld !== null) return 'hidden'
  if (!video.contentApproved && video.rejectionReason !== null) return 'rejected'
  if (video.processingState === 'failed') return 'failed'
  if (!video.contentApproved) return 'pending'
  return video.processingState === 'processing' ? 'processing' : 'published'
}
