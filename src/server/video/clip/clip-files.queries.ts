import { type SqlBool, sql } from 'kysely'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import { type MoveTime, moveRange } from '#shared/cut-times.ts'
import { CLIP_FILE_SECONDS_MAX, CLIP_SECONDS_MAX, CLIP_SECONDS_MIN } from '#shared/limits.ts'
import { requeueJob } from '../job/job.queries.ts'
import { retireMediaFile } from '../media/media-file.queries.ts'
import { deleteClip, updateClip } from './clip.queries.ts'

/** With their comments, likes and views. */
const CLIPS_AT_A_TIME = 20

type ClipFiles = { shareFile: string | null; pictureFile: string | null }

/** A larger JPEG lies beside the WebP card. */
export function namesOf({ shareFile, pictureFile }: ClipFiles): string[] {
  const large = pictureFile?.replace(/-card\.webp$/, '.jpg')
  return [...new Set([shareFile, pictureFile, large])].filter((name) => name != null)
}

/** Preferably `makerId`'s, for fair queueing. */
export async function findWantedClip(
  db: Database,
  { videoId, makerId }: { videoId: number; makerId?: number | null },
) {
  return db
    .selectFrom('clips')
    .select(['id', 'userId', 'startSeconds', 'endSeconds'])
    .where('videoId', '=', videoId)
    .where('fileState', '=', sql.lit('wanted'))
    .orderBy(sql`CASE WHEN "userId" = ${makerId ?? null} THEN 0 ELSE 1 END`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function updateBegunClip(db: DatabaseTransaction, id: number): Promise<void> {
  await db.updateTable('clips').set({ fileBegunAt: timestamp() }).where('id', '=', id).execute()
}

type WantedClip = NonNullable<Awaited<ReturnType<typeof findWantedClip>>>

/** @returns false if changed or deleted meanwhile */
export async function updateWantedClip(
  db: Database | DatabaseTransaction,
  input: { clip: WantedClip; change: Partial<ClipFiles> & { fileState: 'made' | 'failed' } },
): Promise<boolean> {
  const { id, startSeconds, endSeconds } = input.clip
  const result = await db
    .updateTable('clips')
    .set(input.change)
    .where('id', '=', id)
    .where('startSeconds', '=', startSeconds)
    .where('endSeconds', '=', endSeconds)
    .where('fileState', '=', sql.lit('wanted'))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function wantFile(
  db: DatabaseTransaction,
  clip: { id: number; videoId: number },
): Promise<void> {
  await updateClip(db, { id: clip.id, change: { fileState: 'wanted' } })
  await requeueJob(db, { kind: 'clip', videoId: clip.videoId })
}

/** Whatever the video's visibility. */
export async function findOwnClipFiles(db: Database, input: { id: number; userId: number }) {
  return db
    .selectFrom('clips')
    .innerJoin('videos', 'videos.id', 'clips.videoId')
    .select(['clips.id', 'clips.videoId', 'clips.shareFile', 'clips.pictureFile'])
    .select('videos.mediaKey')
    .where('clips.id', '=', input.id)
    .where('clips.userId', '=', input.userId)
    .executeTakeFirst()
}

export async function retireFilesOfClip(
  db: DatabaseTransaction,
  clip: ClipFiles & { videoId: number },
): Promise<string[]> {
  const names = namesOf(clip)
  for (const name of names) await retireMediaFile(db, { videoId: clip.videoId, name })
  return names
}

/**
 * After a new recording: deletes clips beyond its end, requests files for the rest. See
 * docs/decisions/0035-clips-are-rows.md.
 */
export async function renewClips(db: DatabaseTransaction, videoId: number): Promise<void> {
  const duration = sql<number>`(SELECT "duration" FROM "videos" WHERE "id" = ${videoId})`
  await db
    .deleteFrom('clips')
    .where('videoId', '=', videoId)
    .where(sql<SqlBool>`"endSeconds" > ${duration} + 0.5`)
    .execute()
  const isShort = sql`"endSeconds" - "startSeconds" <= ${CLIP_FILE_SECONDS_MAX}`
  await db
    .updateTable('clips')
    .set({
      shareFile: null,
      pictureFile: null,
      fileState: sql`CASE WHEN ${isShort} THEN 'wanted' ELSE 'none' END`,
    })
    .where('videoId', '=', videoId)
    .execute()
  if (await findWantedClip(db, { videoId })) await requeueJob(db, { kind: 'clip', videoId })
}

/**
 * To their remaining range, with new files; too short ones are deleted.
 * @param input.move maps times to the new recording
 */
export async function moveClips(
  db: DatabaseTransaction,
  { videoId, move }: { videoId: number; move: MoveTime },
): Promise<void> {
  const clips = await listClipRanges(db, videoId)
  for (const { id, ...range } of clips) {
    const moved = moveRange(move, range)
    const change = moved && { ...moved, endSeconds: latestEnd(moved) }
    const isLeft = change && change.endSeconds - change.startSeconds >= CLIP_SECONDS_MIN
    if (isLeft) await updateClip(db, { id, change })
    else await deleteClip(db, id)
  }
  await renewClips(db, videoId)
}

/** It may regain material between two kept parts, within the limit. */
const latestEnd = ({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }) =>
  Math.min(endSeconds, startSeconds + CLIP_SECONDS_MAX)

export async function listClipRanges(db: Database, videoId: number) {
  return db
    .selectFrom('clips')
    .select(['id', 'startSeconds', 'endSeconds'])
    .where('videoId', '=', videoId)
    .execute()
}

/** @returns how many of a batch */
export async function deleteClipsOf(db: Database, userId: number): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const clips = await transaction
      .selectFrom('clips')
      .select(['id', 'videoId', 'shareFile', 'pictureFile'])
      .where('userId', '=', userId)
      .limit(CLIPS_AT_A_TIME)
      .execute()
    for (const clip of clips) {
      await retireFilesOfClip(transaction, clip)
      await transaction.deleteFrom('clips').where('id', '=', clip.id).execute()
    }
    return clips.length
  })
}
