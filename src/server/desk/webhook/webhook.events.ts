/** Listeners run in the transactions of the events, so that a message waits exactly if the event happened. */
import { memberJoined } from '#server/account/registration/registration.events.ts'
import { commentShown } from '#server/community/comment/comment.events.ts'
import { reportMade } from '#server/community/report/report.events.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { clipMade } from '#server/video/clip/clip.events.ts'
import { jobFailed } from '#server/video/job/job.events.ts'
import { videoPublished } from '#server/video/video/video.events.ts'
import { findPublicVideo } from '#server/video/video/video.queries.ts'
import { isMemberOfSquad } from '#server/video/video/video-squad.queries.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { WebhookKind } from '#shared/webhooks.ts'
import { insertChatPost, wakeChatPosts } from './chat-post.queries.ts'
import { insertAnnouncedVideo, insertDelivery } from './delivery.queries.ts'
import { listActiveWebhooks } from './webhook.queries.ts'
import { makeMessageId } from './webhook-message.ts'

export function listenForWebhooks(): void {
  videoPublished.listen(onVideoPublished)
  clipMade.listen(onClipMade)
  commentShown.listen(onCommentShown)
  memberJoined.listen(onMemberJoined)
  reportMade.listen(onReportMade)
  jobFailed.listen(onJobFailed)
}

type Payload<Event extends { raise: (payload: never) => unknown }> = Parameters<Event['raise']>[0]

/** Adds a message for each webhook that wants this kind. */
export async function tellWebhooks(db: Database, kind: WebhookKind, data: object): Promise<void> {
  const messageId = makeMessageId()
  for (const { id: webhookId, kinds } of await listActiveWebhooks(db, 'standard')) {
    if (!(JSON.parse(kinds) as string[]).includes(kind)) continue
    const message = { webhookId, messageId, kind, data: JSON.stringify(data) }
    await insertDelivery(db, { ...message, nextAt: timestamp() })
  }
}

/** Raises the event once per video, when everybody can find it for the first time. */
async function onVideoPublished({ db, video }: Payload<typeof videoPublished>): Promise<number[]> {
  const { id: videoId } = video
  const found = await findPublicVideo(db, videoId)
  if (found && (await insertAnnouncedVideo(db, videoId))) {
    await tellWebhooks(db, 'video.published', { videoId })
    await tellChats(db, found)
  }
  return []
}

async function tellChats(db: Database, video: Video): Promise<void> {
  const { id: videoId, category, userId } = video
  for (const webhook of await listActiveWebhooks(db, 'discord')) {
    const { id: webhookId, squadId, channelId } = webhook
    if (webhook.category !== null && webhook.category !== category) continue
    // Anonymous videos have no channel.
    if (channelId !== null && channelId !== userId) continue
    // The squad of an anonymous member would reveal them.
    const isOfSquad =
      squadId === null || (userId !== null && (await isMemberOfSquad(db, { squadId, userId })))
    if (isOfSquad) await insertChatPost(db, { webhookId, videoId })
  }
}

const onClipMade = ({ db, ...data }: Payload<typeof clipMade>) =>
  tellWebhooks(db, 'clip.made', data)

const onCommentShown = ({ db, ...data }: Payload<typeof commentShown>) =>
  tellWebhooks(db, 'comment.posted', data)

const onMemberJoined = ({ db, ...data }: Payload<typeof memberJoined>) =>
  tellWebhooks(db, 'member.joined', data)

const onReportMade = ({ db, ...data }: Payload<typeof reportMade>) =>
  tellWebhooks(db, 'report.made', data)

async function onJobFailed({ db, ...data }: Payload<typeof jobFailed>): Promise<void> {
  await tellWebhooks(db, 'job.failed', data)
  await wakeChatPosts(db, data.jobId)
}
