import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { foldText } from '#server/platform/db/words.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { likeOf } from '../like/like.queries.ts'
import { addressKey } from '../video/media-address.ts'
import { isVisibleVideo } from '../video/video.access.ts'
import { listVideosById } from '../video/video.queries.ts'
import { canChangeRange, canEditClip, canSeeMaker } from './clip.access.ts'

type Asking = { viewer: Viewer | undefined }

/** The caller checks the visibility of the videos. */
export function selectClips(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('clips')
    .innerJoin('videos', 'videos.id', 'clips.videoId')
    .innerJoin('users as makers', 'makers.id', 'clips.userId')
    .select(['clips.id', 'clips.videoId', 'clips.userId', 'clips.title', 'clips.startSeconds'])
    .select(['clips.endSeconds', 'clips.createdAt', 'clips.viewCount', 'clips.likeCount'])
    .select(['clips.fileState', 'clips.shareFile', 'clips.pictureFile'])
    .select(['videos.userId as ownerId', 'videos.isAnonymous', addressKey.as('addressKey')])
    .select(['makers.username', 'makers.displayName', 'makers.avatarUrl'])
    .select(commentCount.as('commentCount'))
    .select(likeOf('clip', viewer).as('like'))
    .where('makers.bannedAt', 'is', null)
}

type ClipSelection = Awaited<ReturnType<ReturnType<typeof selectClips>['execute']>>[number]

/** Excludes replies to hidden comments. */
const commentCount: RawBuilder<number> = sql`(
  SELECT count(*) FROM "comments" LEFT JOIN "comments" AS "tops" ON "tops"."id" = "comments"."parentId"
  WHERE "comments"."clipId" = "clips"."id" AND "comments"."withheld" IS NULL AND "tops"."withheld" IS NULL
)`

export async function toClips(
  db: Database,
  { rows, viewer }: Asking & { rows: ClipSelection[] },
): Promise<Clip[]> {
  const ids = [...new Set(rows.map((row) => row.videoId))]
  const videos = await listVideosById(db, { ids, viewer })
  const videoOf = new Map(videos.map((video) => [video.id, video]))
  return rows.flatMap((row) => {
    const video = videoOf.get(row.videoId)
    return video ? [{ ...toClip(row, viewer), video }] : []
  })
}

function toClip(row: ClipSelection, viewer: Viewer | undefined): Omit<Clip, 'video'> {
  const { userId, username, displayName, avatarUrl } = row
  const urlOf = (file: string | null) => file && mediaUrl(row.addressKey, file)
  return {
    id: row.id,
    videoId: row.videoId,
    title: row.title,
    startSeconds: row.startSeconds,
    endSeconds: row.endSeconds,
    createdAt: row.createdAt,
    viewCount: row.viewCount,
    likeCount: row.likeCount,
    commentCount: row.commentCount,
    isLiked: row.like === 'like',
    maker: canSeeMaker(row, viewer) ? { id: userId, username, displayName, avatarUrl } : null,
    pictureUrl: urlOf(row.pictureFile),
    shareUrl: urlOf(row.shareFile),
    isFileComing: row.fileState === 'wanted',
    canEdit: canEditClip(row, viewer),
    canChangeRange: canChangeRange(row, viewer),
  }
}

export async function findClip(
  db: Database,
  input: Asking & { id: number },
): Promise<Clip | undefined> {
  const rows = await selectClips(db, input).where('clips.id', '=', input.id).execute()
  const [clip] = await toClips(db, { rows, viewer: input.viewer })
  return clip
}

export async function findClipOwner(db: Database, input: Asking & { id: number }) {
  return db
    .selectFrom('clips')
    .innerJoin('videos', 'videos.id', 'clips.videoId')
    .innerJoin('users as makers', 'makers.id', 'clips.userId')
    .select(['clips.id', 'clips.videoId', 'clips.userId', 'clips.title', 'clips.startSeconds'])
    .select(['clips.endSeconds', 'clips.fileState', 'clips.shareFile', 'clips.pictureFile'])
    .select(['videos.userId as ownerId', 'videos.isAnonymous', 'videos.mediaKey'])
    .where('clips.id', '=', input.id)
    .where('makers.bannedAt', 'is', null)
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
}

export async function findClippedVideo(db: Database, input: Asking & { id: number }) {
  return db
    .selectFrom('videos')
    .select(['videos.id', 'videos.userId', 'videos.duration', 'videos.processingState'])
    .select(['videos.videoFileExists', 'videos.allowsClips', 'videos.allowsClipVideos'])
    .select(isBeingReplaced.as('isBeingReplaced'))
    .where('videos.id', '=', input.id)
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
}

/** SQL: a replacement or cut is pending. */
const isBeingReplaced: RawBuilder<Flag> = sql`(
  EXISTS (
    SELECT 1 FROM "uploads" LEFT JOIN "videos" AS "coming" ON "coming"."id" = "uploads"."videoId"
    WHERE "uploads"."replacesVideoId" = "videos"."id"
      AND ("uploads"."state" = 'finalizing' OR "coming"."processingState" = 'processing')
  ) OR EXISTS (
    SELECT 1 FROM "cuts" JOIN "videos" AS "coming" ON "coming"."id" = "cuts"."videoId"
    WHERE "cuts"."sourceVideoId" = "videos"."id" AND "cuts"."replaces" = 1
      AND "cuts"."parkedAt" IS NULL AND "coming"."processingState" = 'processing'
  )
)`

export async function insertClip(
  db: DatabaseTransaction,
  clip: {
    videoId: number
    userId: number
    title: string
    startSeconds: number
    endSeconds: number
    fileState: 'none' | 'wanted'
    createdAt?: string
  },
): Promise<number> {
  const { id } = await db
    .insertInto('clips')
    .values({ createdAt: timestamp(), ...clip, foldedTitle: foldText(clip.title) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function hasClipsSince(
  db: Database,
  { userId, count, time }: { userId: number; count: number; time: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('clips')
    .select('createdAt')
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && row.createdAt > timestamp(time)
}

export type ClipChange = Partial<
  Record<'startSeconds' | 'endSeconds', number> & {
    title: string
    fileState: 'none' | 'wanted' | 'made' | 'failed'
    shareFile: string | null
    pictureFile: string | null
  }
>

export async function updateClip(
  db: DatabaseTransaction,
  { id, change }: { id: number; change: ClipChange },
): Promise<void> {
  const folded = change.title === undefined ? {} : { foldedTitle: foldText(change.title) }
  await db
    .updateTable('clips')
    .set({ ...change, ...folded })
    .where('id', '=', id)
    .execute()
}

export async function deleteClip(db: DatabaseTransaction, id: number): Promise<void> {
  await db.deleteFrom('clips').where('id', '=', id).execute()
}

/** SQL: false where the maker would reveal an anonymous owner. */
export const namesNoOwner: RawBuilder<SqlBool> = sql`NOT (
  "videos"."isAnonymous" = 1 AND "clips"."userId" = "videos"."userId"
)`
