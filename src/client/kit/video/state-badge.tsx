import { Badge } from '@mantine/core'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VIDEO_STATE_WORDS, type VideoCondition, videoStateOf } from '#shared/video-state.ts'

const TONES: Partial<Record<VideoCondition, 'waiting' | 'wrong'>> = {
  pending: 'waiting',
  processing: 'waiting',
  rejected: 'wrong',
  hidden: 'wrong',
  failed: 'wrong',
}

/** Renders nothing for a published video. */
export function StateBadge({ video }: { video: Video }) {
  const state = videoStateOf(video)
  if (state === 'published') return null
  return (
    <Badge variant="scrim" data-tone={TONES[state]}>
      {VIDEO_STATE_WORDS[state]}
    </Badge>
  )
}
