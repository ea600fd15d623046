import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { containsFolded, readByIndex } from '#server/platform/db/expressions.ts'
import {
  cutPage,
  decodeSortCursor,
  decodeTextCursor,
  encodeSortCursor,
} from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Page } from '#shared/field.schemas.ts'
import type { ListUserVideos, Video, VideoSort, VideoState } from '#shared/schemas/video.schemas.ts'
import { isListedVideo, isPublishedVideo, isVisibleVideo } from './video.access.ts'
import { listVideosById } from './video.queries.ts'

type Order = {
  key: RawBuilder<string | number>
  direction: 'asc' | 'desc'
  decode: typeof decodeTextCursor
}

const ORDERS: Record<VideoSort, Order> = {
  newest: { key: sql`"videos"."publishedAt"`, direction: 'desc', decode: decodeTextCursor },
  oldest: { key: sql`"videos"."publishedAt"`, direction: 'asc', decode: decodeTextCursor },
  views: { key: sql`"videos"."viewCount"`, direction: 'desc', decode: decodeSortCursor },
  title: { key: sql`"videos"."foldedTitle"`, direction: 'asc', decode: decodeTextCursor },
}

const IS_IN_STATE: Record<VideoState, RawBuilder<SqlBool>> = {
  all: sql`TRUE`,
  published: isPublishedVideo,
  pending: sql`(
    "videos"."processingState" = 'ready' AND "videos"."contentApproved" = 0
    AND "videos"."rejectionReason" IS NULL AND "videos"."withheld" IS NULL
  )`,
  rejected: sql`(
    "videos"."contentApproved" = 0 AND "videos"."rejectionReason" IS NOT NULL
    AND "videos"."withheld" IS NULL
  )`,
  hidden: sql`("videos"."contentApproved" = 0 AND "videos"."withheld" IS NOT NULL)`,
  processing: sql`("videos"."processingState" = 'processing')`,
  failed: sql`("videos"."processingState" = 'failed')`,
}

/**
 * Listed, non-anonymous ones to others than owner and admins. `q` is in titles, whatever case and
 * accents.
 */
export async function listVideosOfUser(
  db: Database,
  input: ListUserVideos & { viewer: Viewer | undefined },
): Promise<Page<Video>> {
  const { id: userId, viewer, state, sort, limit } = input
  const { key, direction, decode } = ORDERS[sort]
  const mayManage = viewer?.isAdmin || viewer?.id === userId
  // Rows are wide: only ids and keys are sorted.
  let query = db
    .selectFrom('videos')
    .select(['videos.id', key.as('key')])
    .where('videos.userId', '=', userId)
    .where(mayManage ? isVisibleVideo(viewer) : isListedVideo(viewer))
    .where(IS_IN_STATE[state])
    .orderBy(key, direction)
    .orderBy('videos.id', direction)
    .limit(limit + 1)
  if (!mayManage) query = query.where('videos.isAnonymous', '=', 0)
  const text = input.q?.trim()
  if (text) {
    // The index has a channel's titles together.
    query = query.where(sql<SqlBool>`"videos"."id" IN (
      SELECT "titles"."id" FROM "videos" AS "titles" ${readByIndex('videosByTitle')}
      WHERE "titles"."userId" = ${userId} AND ${containsFolded(sql.ref('titles.foldedTitle'), text)}
    )`)
  }
  if (input.cursor) {
    const last = decode(input.cursor, sort)
    const after = direction === 'asc' ? sql`>` : sql`<`
    query = query.where(sql<SqlBool>`(${key}, "videos"."id") ${after} (${last.key}, ${last.id})`)
  }
  const { shown, nextCursor } = cutPage(await query.execute(), limit, (last) =>
    encodeSortCursor({ ...last, sort }),
  )
  const ids = shown.map((row) => row.id)
  return { items: await listVideosById(db, { ids, viewer }), nextCursor }
}
