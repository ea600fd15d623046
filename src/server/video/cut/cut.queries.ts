import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { foldText } from '#server/platform/db/words.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { addressOf } from '../video/media-address.ts'
import { isVisibleVideo } from '../video/video.access.ts'
import { findSquadForNew } from '../video/video-squad.queries.ts'

export async function findCutSource(db: Database, id: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'title', 'description', 'mediaKey', 'videoUrl', 'duration'])
    .select(['processingState', 'videoFileExists', 'storageBytes', 'clipBytes'])
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
}

export type NewCutVideo = {
  sourceId: number
  userId: number
  title: string
  description: string
  duration: number
  /** A replacement, for its owner only. */
  isHidden: boolean
  /** For another member's source: as an upload would start. */
  asUpload: Partial<Pick<NewVideoRow, 'contentApproved' | 'withheld' | 'isAnonymous'>> | null
}

export async function insertCutVideo(
  db: DatabaseTransaction,
  { sourceId, isHidden, asUpload, ...video }: NewCutVideo,
): Promise<number> {
  const {
    userId: ownerId,
    isAnonymous,
    ...source
  } = await db
    .selectFrom('videos')
    .select(['userId', 'width', 'height', 'category', 'tags', 'isAnonymous', 'discordEmbed'])
    .select(['allowsDownload', 'commentsOff', 'contentApproved', 'withheld', 'rejectionReason'])
    .select(['visibility', 'squadId', 'allowsReactions'])
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
  const isOwn = ownerId === video.userId
  // Another member's content is not published automatically.
  const isPrivate = isHidden || !isOwn
  const { id } = await db
    .insertInto('videos')
    .values({
      ...source,
      ...video,
      ...(isOwn && { isAnonymous }),
      ...(asUpload && { rejectionReason: null, ...asUpload }),
      ...(isPrivate && { visibility: 'private' as const }),
      squadId: isPrivate ? null : await findSquadForNew(db, { ...source, userId: ownerId }),
      mediaKey: randomBytes(16).toString('hex'),
      foldedTitle: foldText(video.title),
      publishedAt: timestamp(),
      processingState: 'processing',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (isPrivate || source.squadId !== null) return id
  await sql`
    INSERT INTO "videoMembers" ("videoId", "userId")
    SELECT ${id}, "userId" FROM "videoMembers" WHERE "videoId" = ${sourceId}`.execute(db)
  return id
}

export async function insertCut(
  db: DatabaseTransaction,
  cut: {
    videoId: number
    sourceVideoId: number
    sourceMediaKey: string
    replaces: Flag
    parts: readonly CutPart[]
  },
): Promise<void> {
  const parts = JSON.stringify(cut.parts)
  await db
    .insertInto('cuts')
    .values({ ...cut, parts, createdAt: timestamp() })
    .execute()
}

export async function findCut(db: Database, videoId: number) {
  const row = await db
    .selectFrom('cuts')
    .select(['videoId', 'sourceVideoId', 'sourceMediaKey', 'replaces'])
    .select(['parts', 'parkedAt'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row && { ...row, parts: JSON.parse(row.parts) as CutPart[] }
}

/** The member's newest, or one that replaces this recording. */
export async function findOpenCut(
  db: Database,
  { videoId, userId }: { videoId: number; userId: number },
) {
  return db
    .selectFrom('cuts')
    .innerJoin('videos', 'videos.id', 'cuts.videoId')
    .leftJoin('jobs', (join) =>
      join.onRef('jobs.videoId', '=', 'cuts.videoId').on('jobs.kind', '=', 'cut'),
    )
    .select(['cuts.videoId', 'cuts.replaces', 'jobs.state', 'jobs.percent', 'jobs.secondsLeft'])
    .select(['videos.processingState', 'videos.processingError'])
    .where((eb) =>
      eb.or([eb('cuts.videoId', '=', videoId), eb('cuts.sourceVideoId', '=', videoId)]),
    )
    .where((eb) => eb.or([eb('videos.userId', '=', userId), eb('cuts.replaces', '=', 1)]))
    .where('cuts.parkedAt', 'is', null)
    .where('videos.processingState', 'in', ['processing', 'failed'])
    .orderBy('cuts.videoId', 'desc')
    .executeTakeFirst()
}

export async function listFailedCuts(db: Database, sourceVideoId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('cuts')
    .innerJoin('videos', 'videos.id', 'cuts.videoId')
    .select('cuts.videoId')
    .where('cuts.sourceVideoId', '=', sourceVideoId)
    .where('cuts.replaces', '=', 1)
    .where('cuts.parkedAt', 'is', null)
    .where('videos.processingState', '=', 'failed')
    .execute()
  return rows.map((row) => row.videoId)
}

/** The owner may have changed that since the request. */
export async function maySaveClips(
  db: Database,
  input: { videoId: number; userId: number },
): Promise<boolean> {
  const viewer = { id: input.userId, username: '', displayName: '', isAdmin: false }
  const row = await db
    .selectFrom('videos')
    .select('videos.id')
    .where('videos.id', '=', input.videoId)
    .where('videos.allowsClipVideos', '=', 1)
    .where(isVisibleVideo(viewer))
    .executeTakeFirst()
  return row !== undefined
}

export async function findPreviousRecording(db: Database, videoId: number) {
  const row = await db
    .selectFrom('cuts')
    .innerJoin('videos', 'videos.id', 'cuts.videoId')
    .select(['cuts.videoId', 'cuts.parts', 'cuts.parkedAt', 'cuts.before'])
    .select(['videos.hlsUrl', 'videos.mediaKey', 'videos.videoUrl'])
    .where('cuts.sourceVideoId', '=', videoId)
    .where('cuts.parkedAt', 'is not', null)
    .orderBy('cuts.parkedAt', 'desc')
    .orderBy('cuts.videoId', 'desc')
    .executeTakeFirst()
  if (!row) return undefined
  const before = row.before === null ? null : (JSON.parse(row.before) as BeforeCut)
  return { ...row, parts: JSON.parse(row.parts) as CutPart[], before }
}

export type BeforeCut = {
  description: { was: string; became: string }
  clips: { id: number; was: ClipRange; became: ClipRange }[]
}
type ClipRange = { startSeconds: number; endSeconds: number }

export async function updatePreviousRecording(
  db: DatabaseTransaction,
  input: { videoId: number; parts: readonly CutPart[]; before: BeforeCut },
): Promise<void> {
  const { parts, before } = input
  await db
    .updateTable('cuts')
    .set({
      ...{ parkedAt: timestamp(), parts: JSON.stringify(parts), before: JSON.stringify(before) },
    })
    .where('videoId', '=', input.videoId)
    .execute()
}

/** The row stays, as an ordinary video, unless marked for deletion. */
export async function deleteCut(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db.deleteFrom('cuts').where('videoId', '=', videoId).execute()
}

/** @returns ids of the deleted videos */
export async function deletePreviousRecordings(
  db: DatabaseTransaction,
  videoId: number,
): Promise<number[]> {
  const rows = await db
    .deleteFrom('cuts')
    .where('sourceVideoId', '=', videoId)
    .where('parkedAt', 'is not', null)
    .returning('videoId')
    .execute()
  return rows.map((row) => row.videoId)
}

export async function deleteExpiredRecordings(db: Database, time: Date): Promise<void> {
  await db.deleteFrom('cuts').where('parkedAt', '<', timestamp(time)).execute()
}

export async function updateDescription(
  db: DatabaseTransaction,
  input: { id: number; description: string },
): Promise<void> {
  const { id, description } = input
  await db.updateTable('videos').set({ description }).where('id', '=', id).execute()
}

export async function updateCutFacts(
  db: DatabaseTransaction,
  input: { id: number; posterFile: string | null; soundLanguage: string | null },
): Promise<void> {
  const { id, posterFile, soundLanguage } = input
  await db
    .updateTable('videos')
    .set({ thumbnailUrl: addressOf(posterFile), soundLanguage })
    .where('id', '=', id)
    .execute()
}

export type CutCaptions = { language: string; label: string; file: string }

export async function insertCutCaptions(
  db: DatabaseTransaction,
  { videoId, captions }: { videoId: number; captions: CutCaptions[] },
): Promise<void> {
  for (const each of captions) {
    await db
      .insertInto('captions')
      .values({ videoId, ...each, createdAt: timestamp() })
      .execute()
  }
}
