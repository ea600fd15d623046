import { videoAnonymized } from '#server/video/video/video.events.ts'
import { clearOwnerOfParticipantNotifications } from '../notification/participant-notification.queries.ts'

/** A video that becomes anonymous no longer tells those it names whose it is. */
export function listenForParticipants(): void {
  videoAnonymized.listen(({ db, videoId }) => clearOwnerOfParticipantNotifications(db, videoId))
}
