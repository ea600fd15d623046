import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './rejection-note.module.css'

/** Why an admin turned the video down. */
export function RejectionNote({ video }: { video: Video }) {
  if (video.contentApproved || video.rejectionReason === null) return null
  return (
    <p className={classes.note}>
      <b>Rejected:</b> {video.rejectionReason || 'No reason was given.'}
    </p>
  )
}
