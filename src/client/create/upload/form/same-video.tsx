import type { QueueItem } from '../queue/queue-item.ts'
import { sameSentence } from '../queue/same-files.ts'
import classes from './same-video.module.css'

/** A duplicate can still be uploaded. */
export function SameVideo({ same }: { same: NonNullable<QueueItem['same']> }) {
  return (
    <p className={classes.same} role="status">
      {sameSentence(same)}.{' '}
      <a href={`/video/${same.videoId}`} target="_blank" rel="noopener">
        Watch the other one
      </a>
    </p>
  )
}
