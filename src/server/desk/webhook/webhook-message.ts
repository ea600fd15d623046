/**
 * The bodies of messages, as docs/webhooks.md describes them. They are written when they are sent, and contain what
 * everybody may see then: see docs/decisions/0084-webhooks.md.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findUser } from '#server/account/user/user.queries.ts'
import { requireVisibleComment } from '#server/community/comment/comment.service.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findClip } from '#server/video/clip/clip.queries.ts'
import { findPublicVideo } from '#server/video/video/video.queries.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { WebhookKind } from '#shared/webhooks.ts'
import { findFailedJob, findReportedThing } from './delivery.queries.ts'

type Composing = { db: Database; origin: string }
type Compose = (deps: Composing, data: unknown) => Promise<object | undefined>

const dataOf = {
  video: z.object({ videoId: z.int() }),
  clip: z.object({ clipId: z.int() }),
  comment: z.object({ commentId: z.int() }),
  member: z.object({ userId: z.int() }),
  report: z.object({ reportId: z.int() }),
  job: z.object({ jobId: z.int() }),
}

/** Returns an id that stays the same over all attempts, by which receivers recognize repetitions. */
export const makeMessageId = () => `msg_${randomUUID().replaceAll('-', '')}`

export type MessageKind = WebhookKind | 'test'

/** @returns undefined if there is nothing left that may be told */
export async function composeMessage(
  deps: Composing,
  { kind, data }: { kind: string; data: string },
): Promise<object | undefined> {
  const compose = COMPOSERS[kind as MessageKind] as Compose | undefined
  return compose?.(deps, JSON.parse(data))
}

const COMPOSERS: Record<MessageKind, Compose> = {
  test: async ({ origin }) => ({ url: origin }),

  async 'video.published'({ db, origin }, data) {
    const video = await findPublicVideo(db, dataOf.video.parse(data).videoId)
    return video && { video: describeVideo(video, origin) }
  },

  async 'clip.made'({ db, origin }, data) {
    const clip = await findClip(db, { id: dataOf.clip.parse(data).clipId, viewer: undefined })
    const video = clip && (await findPublicVideo(db, clip.videoId))
    if (!clip || !video) return undefined
    const { id, title, startSeconds, endSeconds, createdAt, maker } = clip
    return {
      clip: {
        ...{ id, url: `${origin}/clip/${id}`, title, startSeconds, endSeconds, createdAt },
        maker: maker && describeMember(maker, origin),
      },
      video: describeVideo(video, origin),
    }
  },

  async 'comment.posted'({ db, origin }, data) {
    const comment = await findShownComment(db, dataOf.comment.parse(data).commentId)
    const video = comment?.videoId ? await findPublicVideo(db, comment.videoId) : undefined
    if (!comment || !video) return undefined
    const { id, clipId, parentId, content, createdAt, user } = comment
    const page = clipId === null ? `/video/${video.id}` : `/clip/${clipId}`
    return {
      comment: {
        ...{ id, url: `${origin}${page}#comment-${id}`, content, createdAt, clipId, parentId },
        author: user && describeMember(user, origin),
      },
      video: describeVideo(video, origin),
    }
  },

  async 'member.joined'({ db, origin }, data) {
    const member = await findUser(db, { id: dataOf.member.parse(data).userId, viewer: undefined })
    return member && { member: { ...describeMember(member, origin), joinedAt: member.createdAt } }
  },

  async 'report.made'({ db, origin }, data) {
    const report = await findReportedThing(db, dataOf.report.parse(data).reportId)
    if (!report) return undefined
    const { id, kind, createdAt, videoId } = report
    return {
      report: { id, url: `${origin}/admin/reports`, about: kind, createdAt },
      video: await describePublicVideo({ db, origin }, videoId),
    }
  },

  async 'job.failed'({ db, origin }, data) {
    const job = await findFailedJob(db, dataOf.job.parse(data).jobId)
    if (!job) return undefined
    const { id, kind, error, finishedAt, videoId } = job
    return {
      job: { id, url: `${origin}/admin/jobs`, kind, error, failedAt: finishedAt },
      video: await describePublicVideo({ db, origin }, videoId),
    }
  },

  'disk.nearly_full': async ({ origin }, data) => ({
    disk: { ...(data as object), url: `${origin}/admin/storage` },
  }),
}

type Member = { id: number; username: string; displayName: string }

const describeMember = ({ id, username, displayName }: Member, origin: string) => ({
  ...{ id, url: `${origin}/profile/${id}`, username, displayName },
})

function describeVideo(video: Video, origin: string) {
  const { id, title, description, category, tags, publishedAt, thumbnailUrl, channel } = video
  return {
    ...{ id, url: `${origin}/video/${id}`, title, description, category, tags },
    durationSeconds: video.duration,
    publishedAt,
    pictureUrl: thumbnailUrl && new URL(thumbnailUrl, origin).href,
    channel: channel && describeMember(channel, origin),
  }
}

async function describePublicVideo({ db, origin }: Composing, id: number | null) {
  const video = id === null ? undefined : await findPublicVideo(db, id)
  return video ? describeVideo(video, origin) : null
}

async function findShownComment(db: Database, id: number): Promise<Comment | undefined> {
  try {
    return await requireVisibleComment(db, { id, viewer: undefined })
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
