import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { isVisibleVideo } from '../video/video.access.ts'

const SHOWN_STATES = ['receiving', 'finalizing', 'completed'] as const

export type ArrivingUpload = Pick<
  UploadRow,
  | 'id'
  | 'userId'
  | 'fileSize'
  | 'chunkCount'
  | 'mediaKey'
  | 'title'
  | 'description'
  | 'category'
  | 'isAnonymous'
  | 'visibility'
  | 'squadId'
  | 'aliveAt'
  | 'state'
> & {
  /** Once the upload is completed. */
  videoState: VideoRow['processingState'] | null
}

/** By the id that its video has or will have. The caller checks access. */
export async function findArrivingUpload(
  db: Database,
  id: number,
): Promise<ArrivingUpload | undefined> {
  return db
    .selectFrom('uploads')
    .leftJoin('videos', 'videos.id', 'uploads.videoId')
    .select(['uploads.id', 'uploads.userId', 'uploads.fileSize', 'uploads.chunkCount'])
    .select(['uploads.mediaKey', 'uploads.title', 'uploads.description', 'uploads.category'])
    .select(['uploads.isAnonymous', 'uploads.visibility', 'uploads.squadId'])
    .select(['uploads.aliveAt', 'uploads.state'])
    .select('videos.processingState as videoState')
    .where('uploads.reservedVideoId', '=', id)
    .executeTakeFirst()
}

/**
 * The one expression of visibility, asked of the video that the upload will be, as if it were ready.
 * @param input.approved, `visibility` and `squadId` are used until the video exists
 */
export async function mayWatchArriving(
  db: Database,
  input: {
    id: number
    viewer: Viewer | undefined
    approved: Flag
    visibility: Visibility
    squadId: number | null
  },
): Promise<boolean> {
  const { id, viewer, approved, visibility, squadId } = input
  const made = sql.ref('made.id')
  const row = await db
    .selectFrom(
      db
        .selectFrom('uploads')
        .leftJoin('videos as made', 'made.id', 'uploads.videoId')
        .select(['uploads.reservedVideoId as id', 'uploads.userId'])
        .select(sql<string>`'ready'`.as('processingState'))
        .select(
          sql<number>`CASE WHEN ${made} IS NULL THEN ${sql.lit(approved)} ELSE "made"."contentApproved" END`.as(
            'contentApproved',
          ),
        )
        .select(
          sql<string>`CASE WHEN ${made} IS NULL THEN ${sql.lit(visibility)} ELSE "made"."visibility" END`.as(
            'visibility',
          ),
        )
        .select(
          sql<
            number | null
          >`CASE WHEN ${made} IS NULL THEN ${sql.lit(squadId)} ELSE "made"."squadId" END`.as(
            'squadId',
          ),
        )
        .where('uploads.reservedVideoId', '=', id)
        .where('uploads.state', 'in', SHOWN_STATES)
        .where((eb) =>
          eb.or([
            eb('uploads.state', '<>', 'completed'),
            eb('made.processingState', 'in', ['processing', 'ready']),
          ]),
        )
        .as('videos'),
    )
    .select('videos.id')
    .where(isVisibleVideo(viewer))
    .executeTakeFirst()
  return row !== undefined
}

export async function countChunks(db: Database, uploadId: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploadChunks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uploadId', '=', uploadId)
    .executeTakeFirstOrThrow()
  return count
}
