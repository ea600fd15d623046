import {
  videoAnonymized,
  videoDeletedByAdmin,
  videoPublished,
} from '#server/video/video/video.events.ts'
import { deleteUploadNotifications, insertNotifications } from './notification.queries.ts'
import { notifyOfUpload } from './notification.service.ts'

/** Members hear of what happens to videos. */
export function listenToVideos(): void {
  videoPublished.listen(onVideoPublished)
  videoAnonymized.listen(takeBackUpload)
  videoDeletedByAdmin.listen(onVideoDeletedByAdmin)
}

type Payload<Event extends { raise: (payload: never) => unknown }> = Parameters<Event['raise']>[0]

const onVideoPublished = ({ db, video }: Payload<typeof videoPublished>) =>
  notifyOfUpload(db, video)

const takeBackUpload = ({ db, videoId }: Payload<typeof videoAnonymized>) =>
  deleteUploadNotifications(db, videoId)

async function onVideoDeletedByAdmin(act: Payload<typeof videoDeletedByAdmin>): Promise<number[]> {
  const { video, adminId, reason } = act
  await insertNotifications(act.db, [
    {
      userId: video.userId,
      type: 'upload',
      title: 'Your video was deleted',
      message: `"${video.title}": ${reason}`,
      sourceUserId: adminId,
    },
  ])
  return [video.userId]
}
