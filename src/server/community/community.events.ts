import { squadGiven, squadTaken } from '#server/account/provider/provider.events.ts'
import { membersTold } from '#server/account/second-factor/second-factor.events.ts'
import { fetchEnded } from '#server/video/fetch/fetch.events.ts'
import { recordingsCame } from '#server/video/inbox/inbox.events.ts'
import {
  playersNamed,
  recordingCut,
  videoAnonymized,
  videoDeletedByAdmin,
  videoExpiresSoon,
  videoPublished,
  videoShared,
  videoUnlisted,
} from '#server/video/video/video.events.ts'
import { watchProgressed } from '#server/video/view/view.events.ts'
import { updateCommentTimes } from './comment/comment-times.queries.ts'
import { upsertProgress } from './history/history.queries.ts'
import { updatePositions } from './history/history-positions.queries.ts'
import { takeBackAnnouncement } from './notification/announcement.service.ts'
import { insertNotifications } from './notification/notification.queries.ts'
import {
  notifyOfRecordings,
  notifyOfShare,
  notifyOfUpload,
} from './notification/notification.service.ts'
import { clearOwnerOfParticipantNotifications } from './notification/participant-notification.queries.ts'
import { namePlayers } from './participant/participant.service.ts'
import { clearVideoOfPosts } from './post/post.queries.ts'
import { joinByRole, leaveByRole } from './squad/squad-role.service.ts'

export function listenToAccounts(): void {
  membersTold.listen(onMembersTold)
}

export function listenToVideos(): void {
  videoPublished.listen(onVideoPublished)
  playersNamed.listen(onPlayersNamed)
  videoShared.listen(onVideoShared)
  videoAnonymized.listen(removeOwner)
  videoUnlisted.listen(removeUploadNotifications)
  videoExpiresSoon.listen(onVideoExpiresSoon)
  recordingsCame.listen(onRecordingsCame)
  fetchEnded.listen(onFetchEnded)
  videoDeletedByAdmin.listen(onVideoDeletedByAdmin)
  recordingCut.listen(onRecordingCut)
  watchProgressed.listen(storeProgress)
}

export function listenToProviders(): void {
  squadGiven.listen(joinByRole)
  squadTaken.listen(leaveByRole)
}

type Payload<Event extends { raise: (payload: never) => unknown }> = Parameters<Event['raise']>[0]

async function onMembersTold({ db, userIds, ...text }: Payload<typeof membersTold>): Promise<void> {
  const rows = userIds.map((userId) => ({
    ...{ userId, ...text, sourceUserId: null },
    type: 'comment' as const,
  }))
  await insertNotifications(db, rows)
}

const onVideoPublished = ({ db, ...act }: Payload<typeof videoPublished>) => notifyOfUpload(db, act)

const onPlayersNamed = ({ db, ...act }: Payload<typeof playersNamed>) => namePlayers(db, act)

const onVideoShared = ({ db, ...act }: Payload<typeof videoShared>) => notifyOfShare(db, act)

/** Runs when a video becomes anonymous. */
async function removeOwner({ db, videoId }: Payload<typeof videoAnonymized>): Promise<number[]> {
  await clearVideoOfPosts(db, videoId)
  return [
    ...(await takeBackAnnouncement(db, videoId)),
    ...(await clearOwnerOfParticipantNotifications(db, videoId)),
  ]
}

const removeUploadNotifications = ({ db, videoId }: Payload<typeof videoUnlisted>) =>
  takeBackAnnouncement(db, videoId)

async function onVideoExpiresSoon(act: Payload<typeof videoExpiresSoon>): Promise<number[]> {
  const { video, expiry } = act
  const day = new Date(expiry.at).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
  await insertNotifications(act.db, [
    {
      userId: video.userId,
      type: 'upload',
      title:
        expiry.action === 'delete'
          ? `Your video will be deleted on ${day}`
          : `Your video goes private on ${day}`,
      sourceUserId: null,
      message: `"${video.title}": edit it if you want to keep it as it is.`,
      videoId: video.id,
    },
  ])
  return [video.userId]
}

async function onFetchEnded({
  db,
  userId,
  title,
  problem,
}: Payload<typeof fetchEnded>): Promise<number[]> {
  const message = `"${title}": ${problem}`
  const heading = 'A file from an address is not published'
  await insertNotifications(db, [
    { userId, type: 'upload', title: heading, message, sourceUserId: null },
  ])
  return [userId]
}

const onRecordingsCame = ({ db, ...came }: Payload<typeof recordingsCame>) =>
  notifyOfRecordings(db, came)

const storeProgress = ({ db, ...progress }: Payload<typeof watchProgressed>) =>
  upsertProgress(db, progress)

async function onRecordingCut({ db, ...act }: Payload<typeof recordingCut>): Promise<void> {
  await updateCommentTimes(db, act)
  await updatePositions(db, act)
}

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
