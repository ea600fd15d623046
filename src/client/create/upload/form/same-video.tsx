import { look } from '#client/kit/layout/layout.ts'
import type { QueueItem } from '../queue/queue-item.ts'
import { sameSentence } from '../queue/same-files.ts'

/** A duplicate can still be uploaded. */
export function SameVideo({ same }: { same: NonNullable<QueueItem['same']> }) {
  return (
    <p className={look('pad8x12', 'rounded', 'softInfo', 'breakWords', 'size13')} role="status">
      {sameSentence(same)}.{' '}
      <a href={`/video/${same.videoId}`} target="_blank" rel="noopener">
        Watch the other one
      </a>
    </p>
  )
}
