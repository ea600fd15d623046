import { randomBytes } from 'node:crypto'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { MontagesTable } from '#server/platform/db/tables/montage.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { foldText } from '#server/platform/db/words.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '../video/video.access.ts'

export type StoredItem = {
  clipId: number | null
  videoId: number
  /** The recording that the times refer to. */
  mediaKey: string
  title: string
  fromSeconds: number
  toSeconds: number
}

export async function findMontageSource(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'videos.userId', 'videos.title', 'videos.mediaKey', 'videos.videoUrl'])
    .select(['videos.duration', 'videos.width', 'videos.height', 'videos.category'])
    .select(['videos.tags', 'videos.isAnonymous', 'videos.allowsClipVideos'])
    .select(['videos.processingState', 'videos.videoFileExists', 'users.displayName'])
    .where('videos.id', '=', id)
    .where(isVisibleVideo(viewer))
    .executeTakeFirst()
}

/** Whatever the video's visibility. */
export async function findClipRange(db: Database, id: number) {
  return db
    .selectFrom('clips')
    .innerJoin('users', 'users.id', 'clips.userId')
    .select(['clips.videoId', 'clips.title', 'clips.startSeconds', 'clips.endSeconds'])
    .where('clips.id', '=', id)
    .where('users.bannedAt', 'is', null)
    .executeTakeFirst()
}

export async function hasOpenMontage(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .select('jobs.id')
    .where('jobs.kind', '=', 'montage')
    .where('jobs.state', 'in', ['queued', 'running'])
    .where('videos.userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertMontageVideo(
  db: DatabaseTransaction,
  video: Pick<
    NewVideoRow,
    'userId' | 'title' | 'description' | 'category' | 'tags' | 'duration' | 'width' | 'height'
  > &
    Pick<NewVideoRow, 'contentApproved' | 'withheld' | 'discordEmbed'>,
): Promise<number> {
  const { id } = await db
    .insertInto('videos')
    .values({
      ...video,
      foldedTitle: foldText(video.title),
      mediaKey: randomBytes(16).toString('hex'),
      visibility: 'private',
      publishedAt: timestamp(),
      processingState: 'processing',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Montage = Pick<MontagesTable, 'videoId' | 'transition' | 'titleCard'> & { items: StoredItem[] }

export async function insertMontage(db: DatabaseTransaction, montage: Montage): Promise<void> {
  const items = JSON.stringify(montage.items)
  await db
    .insertInto('montages')
    .values({ ...montage, items, createdAt: timestamp() })
    .execute()
}

export async function findMontage(db: Database, videoId: number): Promise<Montage | undefined> {
  const row = await db
    .selectFrom('montages')
    .select(['videoId', 'items', 'transition', 'titleCard'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row && { ...row, items: JSON.parse(row.items) as StoredItem[] }
}

export async function deleteMontage(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db.deleteFrom('montages').where('videoId', '=', videoId).execute()
}

export async function findMaker(db: Database, userId: number): Promise<Viewer> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { ...row, isAdmin: row.isAdmin === 1 }
}
