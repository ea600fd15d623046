import { randomBytes } from 'node:crypto'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { retireClipFiles } from '../media/media-file.queries.ts'
import { dropReactionsOn } from '../reaction/reaction-drop.service.ts'
import { recordingReplaced } from '../video/video.events.ts'
import { markVideosAsDeleting } from '../video/video-rows.queries.ts'

const RECORDING = [
  'uploadId',
  'mediaKey',
  'addressKey',
  'videoUrl',
  'thumbnailUrl',
  'hlsUrl',
  'storyboardUrl',
  'shareUrl',
  'cardUrl',
  'preview',
  'duration',
  'width',
  'height',
  'storageBytes',
  'loudnessLufs',
  'soundLanguage',
  'videoFileExists',
] as const
const PARTS = [
  'mediaFiles',
  'renditions',
  'soundTracks',
  'soundNames',
  'soundMixes',
  'captions',
] as const

/**
 * Moves it to the video that it replaces. The old recording and its captions go with the new row.
 * @returns the video that has the recording now, if any
 */
export async function replaceRecording(
  db: DatabaseTransaction,
  newId: number,
): Promise<number | undefined> {
  const upload = await db
    .selectFrom('uploads')
    .innerJoin('videos as replaced', (join) =>
      join
        .onRef('replaced.id', '=', 'uploads.replacesVideoId')
        .onRef('replaced.userId', '=', 'uploads.userId'),
    )
    .select(['uploads.id', 'replaced.id as oldId'])
    .where('uploads.videoId', '=', newId)
    .where('replaced.processingState', '<>', 'deleting')
    .executeTakeFirst()
  if (!upload) return undefined
  const { oldId } = upload
  await swapColumns(db, [oldId, newId])
  for (const table of PARTS) await swapParts(db, table, [oldId, newId])
  // Previous recordings belong to the old recording.
  await db
    .deleteFrom('cuts')
    .where('sourceVideoId', '=', oldId)
    .where('parkedAt', 'is not', null)
    .execute()
  for (const table of ['heat', 'moments'] as const) {
    await db.deleteFrom(table).where('videoId', '=', oldId).execute()
  }
  await dropReactionsOn(db, oldId)
  await db.updateTable('moments').set({ videoId: oldId }).where('videoId', '=', newId).execute()
  await db.deleteFrom('jobs').where('videoId', '=', oldId).execute()
  await db
    .updateTable('jobs')
    .set({ videoId: oldId })
    .where('videoId', '=', newId)
    .where('state', '=', 'queued')
    .execute()
  await db.updateTable('uploads').set({ videoId: newId }).where('videoId', '=', oldId).execute()
  await db
    .updateTable('uploads')
    .set({ videoId: oldId, replacesVideoId: null })
    .where('id', '=', upload.id)
    .execute()
  await db
    .updateTable('videos')
    .set({ processingState: 'ready', processingError: null })
    .where('id', '=', oldId)
    .execute()
  await recordingReplaced.raise({ db, videoId: oldId })
  await retireClipFiles(db, newId)
  await markVideosAsDeleting(db, [newId])
  return oldId
}

export async function swapRecordings(
  db: DatabaseTransaction,
  { videoId, hiddenId }: { videoId: number; hiddenId: number },
): Promise<void> {
  await swapColumns(db, [videoId, hiddenId])
  for (const table of PARTS) await swapParts(db, table, [videoId, hiddenId])
  await db.deleteFrom('heat').where('videoId', '=', videoId).execute()
  await db.deleteFrom('jobs').where('videoId', '=', videoId).execute()
  await db
    .updateTable('jobs')
    .set({ videoId })
    .where('videoId', '=', hiddenId)
    .where('state', '=', 'queued')
    .execute()
  const uploads = await db
    .selectFrom('uploads')
    .select(['id', 'videoId'])
    .where('videoId', 'in', [videoId, hiddenId])
    .execute()
  for (const upload of uploads) {
    await db
      .updateTable('uploads')
      .set({ videoId: upload.videoId === videoId ? hiddenId : videoId })
      .where('id', '=', upload.id)
      .execute()
  }
  await db
    .updateTable('videos')
    .set({ processingState: 'ready', processingError: null })
    .where('id', '=', videoId)
    .execute()
  await retireClipFiles(db, hiddenId)
  await markVideosAsDeleting(db, [hiddenId])
}

type Pair = [number, number]

async function swapColumns(db: DatabaseTransaction, [one, other]: Pair): Promise<void> {
  const read = (id: number) =>
    db.selectFrom('videos').select(RECORDING).where('id', '=', id).executeTakeFirstOrThrow()
  const write = (id: number, columns: object) =>
    db.updateTable('videos').set(columns).where('id', '=', id).execute()
  const [ofOne, ofOther] = [await read(one), await read(other)]
  // Unique columns must never collide.
  await write(other, {
    uploadId: null,
    addressKey: null,
    mediaKey: randomBytes(16).toString('hex'),
  })
  await write(one, ofOther)
  await write(other, ofOne)
}

async function swapParts(
  db: DatabaseTransaction,
  table: (typeof PARTS)[number],
  [one, other]: Pair,
): Promise<void> {
  const rows = await db.selectFrom(table).selectAll().where('videoId', 'in', [one, other]).execute()
  await db.deleteFrom(table).where('videoId', 'in', [one, other]).execute()
  for (const row of rows) {
    const swapped = { ...row, videoId: row.videoId === one ? other : one }
    await db.insertInto(table).values(swapped).execute()
  }
}

export async function isBeingCut(db: Database, videoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('cuts')
    .innerJoin('videos', 'videos.id', 'cuts.videoId')
    .select('cuts.videoId')
    .where('cuts.sourceVideoId', '=', videoId)
    .where('cuts.replaces', '=', 1)
    .where('cuts.parkedAt', 'is', null)
    .where('videos.processingState', '=', 'processing')
    .executeTakeFirst()
  return row !== undefined
}

export async function isBeingReplaced(db: Database, videoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .leftJoin('videos', 'videos.id', 'uploads.videoId')
    .select('uploads.id')
    .where('uploads.replacesVideoId', '=', videoId)
    .where((eb) =>
      eb.or([
        eb('uploads.state', 'in', ['receiving', 'finalizing']),
        eb('videos.processingState', '=', 'processing'),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}
