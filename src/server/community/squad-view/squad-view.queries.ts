import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { SquadViewVideosTable } from '#server/platform/db/tables/squad-view.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

type Asking = { viewer: Viewer | undefined }

/** Whatever the viewer may see of it: `squad-view.access.ts` decides. */
export type StoredRecording = Omit<SquadViewVideosTable, 'mediaKey'> & {
  userId: number
  title: string
  isPlayable: boolean
}

/** A place of another recording counts as none. */
export async function listStoredRecordings(db: Database, id: number): Promise<StoredRecording[]> {
  const rows = await db
    .selectFrom('squadViewVideos')
    .innerJoin('videos', 'videos.id', 'squadViewVideos.videoId')
    .select(['squadViewVideos.squadViewId', 'squadViewVideos.videoId', 'squadViewVideos.state'])
    .select(['squadViewVideos.alignment', 'squadViewVideos.offsetSeconds'])
    .select(['squadViewVideos.mediaKey', 'videos.mediaKey as currentKey'])
    .select(['videos.userId', 'videos.title', 'videos.videoUrl', 'videos.processingState'])
    .where('squadViewVideos.squadViewId', '=', id)
    .where('videos.processingState', '<>', 'deleting')
    .orderBy('squadViewVideos.videoId')
    .execute()
  return rows.map(({ mediaKey, currentKey, videoUrl, processingState, ...row }) => ({
    ...row,
    ...(mediaKey !== currentKey && { alignment: 'none' as const, offsetSeconds: null }),
    isPlayable: processingState === 'ready' && videoUrl !== null,
  }))
}

/** By id, without those that the viewer may not see. */
export async function listVisibleVideos(
  db: Database,
  { ids, viewer }: Asking & { ids: readonly number[] },
): Promise<Map<number, Video>> {
  if (ids.length === 0) return new Map()
  const rows = await selectVideos(db, { viewer })
    .where('videos.id', 'in', listOf(ids))
    .where(isVisibleVideo(viewer))
    .execute()
  return new Map(rows.map((row) => [row.id, toVideo(row, viewer)]))
}

/** Returns the first of the views that the video belongs to or is asked to join. */
export async function findViewOfVideo(db: Database, videoId: number) {
  const rows = await db
    .selectFrom('squadViewVideos')
    .select(['squadViewId', 'state'])
    .where('videoId', '=', videoId)
    .where('state', '<>', 'declined')
    .orderBy('squadViewId')
    .execute()
  return rows.find(({ state }) => state === 'in') ?? rows[0]
}

export async function listRecordingStates(db: Database, videoIds: readonly number[]) {
  return db
    .selectFrom('squadViewVideos')
    .select(['squadViewId', 'videoId', 'state'])
    .where('videoId', 'in', listOf(videoIds))
    .execute()
}

export async function insertSquadView(db: DatabaseTransaction): Promise<number> {
  const { id } = await db
    .insertInto('squadViews')
    .values({ createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function upsertRecording(
  db: DatabaseTransaction,
  row: Pick<SquadViewVideosTable, 'squadViewId' | 'videoId' | 'state'>,
): Promise<void> {
  const { state } = row
  const mediaKey = db
    .selectFrom('videos')
    .select('videos.mediaKey')
    .where('videos.id', '=', row.videoId)
  await db
    .insertInto('squadViewVideos')
    .values({ ...row, alignment: 'waiting', offsetSeconds: null, mediaKey })
    .onConflict((conflict) => conflict.columns(['squadViewId', 'videoId']).doUpdateSet({ state }))
    .execute()
}

type Place = Pick<SquadViewVideosTable, 'alignment' | 'offsetSeconds'> & { mediaKey?: string }

/** @param place.mediaKey if it is of this recording only, or else of the one that there is now */
export async function updatePlace(
  db: DatabaseTransaction,
  { squadViewId, videoId, place }: { squadViewId: number; videoId: number; place: Place },
): Promise<void> {
  const { mediaKey, ...change } = place
  const current = db.selectFrom('videos').select('videos.mediaKey').where('videos.id', '=', videoId)
  await db
    .updateTable('squadViewVideos')
    .set({ ...change, mediaKey: mediaKey ?? current })
    .where('squadViewId', '=', squadViewId)
    .where('videoId', '=', videoId)
    .execute()
}

export async function deleteRecording(
  db: DatabaseTransaction,
  { squadViewId, videoId }: { squadViewId: number; videoId: number },
): Promise<void> {
  await db
    .deleteFrom('squadViewVideos')
    .where('squadViewId', '=', squadViewId)
    .where('videoId', '=', videoId)
    .execute()
}

/** Those with fewer than two recordings, as after a video was deleted. */
export async function deleteLoneSquadViews(db: Database): Promise<void> {
  const company = db
    .selectFrom('squadViewVideos')
    .select('squadViewId')
    .where('state', '<>', 'declined')
    .groupBy('squadViewId')
    .having((eb) => eb.fn.countAll(), '>=', 2)
  await db.deleteFrom('squadViews').where('id', 'not in', company).execute()
}

/** Those to compare, with their files. */
export async function listFilesToAlign(db: Database, squadViewId: number) {
  return db
    .selectFrom('squadViewVideos')
    .innerJoin('videos', 'videos.id', 'squadViewVideos.videoId')
    .select(['squadViewVideos.videoId', 'squadViewVideos.alignment'])
    .select(['squadViewVideos.offsetSeconds', 'squadViewVideos.mediaKey'])
    .select(['videos.videoUrl', 'videos.mediaKey as currentKey'])
    .where('squadViewVideos.squadViewId', '=', squadViewId)
    .where('squadViewVideos.state', '<>', 'declined')
    .where('videos.processingState', '=', 'ready')
    .orderBy('squadViewVideos.videoId')
    .execute()
}
