import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { Database } from '#server/platform/db/database.ts'
import { containsText, joinFound } from '#server/platform/db/expressions.ts'
import { decodeCursor, type Position, toPage } from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Category } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { isListedVideo, isVisibleVideo } from './video.access.ts'
import {
  isNotHidden,
  listVideosById,
  selectVideos,
  toVideo,
  waitsForApproval,
} from './video.queries.ts'

type Asking = { viewer: Viewer | undefined }

const selectNewest = compiledOnce(
  (
    db,
    input: Asking & {
      category: Category | undefined
      after: Position | undefined
      count: number
    },
  ) => {
    let query = selectVideos(db, input)
      .where(isListedVideo(input.viewer))
      .where(isNotHidden(input.viewer))
    if (input.category) query = query.where('videos.category', '=', input.category)
    query = query.orderBy('videos.publishedAt', 'desc').orderBy('videos.id', 'desc')
    if (input.after) {
      const { time, id } = input.after
      query = query.where((eb) =>
        eb(eb.refTuple('videos.publishedAt', 'videos.id'), '<', eb.tuple(time, id)),
      )
    }
    return query.limit(input.count).compile()
  },
)

export async function listVideos(
  db: Database,
  { viewer, category, cursor, limit }: PageInput & Asking & { category?: Category | undefined },
) {
  const after = cursor ? decodeCursor(cursor) : undefined
  const rows = await selectNewest(db, { viewer, category, after, count: limit + 1 })
  return toPage(rows, limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, viewer),
  })
}

export async function listSubscribedVideos(
  db: Database,
  input: PageInput & { viewer: Viewer },
): Promise<Page<Video>> {
  const { viewer, limit } = input
  // At most a page per channel, to bound sorting.
  const ids = sql`SELECT "videos"."id" FROM "videos"
    WHERE "videos"."userId" = "subscriptions"."channelId" AND "videos"."isAnonymous" = 0
      AND ${isListedVideo(viewer)} ${after(input.cursor)}
    ORDER BY "videos"."publishedAt" DESC, "videos"."id" DESC LIMIT ${limit + 1}`
  const { rows } = await sql<{ id: number; publishedAt: string }>`
    SELECT "found"."id", "found"."publishedAt" FROM "subscriptions"
    ${joinFound({ table: 'videos', as: 'found', ids })}
    WHERE "subscriptions"."subscriberId" = ${viewer.id}
    ORDER BY "found"."publishedAt" DESC, "found"."id" DESC LIMIT ${limit + 1}`.execute(db)
  const page = toPage(rows, limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => row.id,
  })
  return { ...page, items: await listVideosById(db, { ids: page.items, viewer }) }
}

function after(cursor: string | null | undefined): RawBuilder<unknown> {
  if (!cursor) return sql``
  const { time, id } = decodeCursor(cursor)
  return sql`AND ("videos"."publishedAt", "videos"."id") < (${time}, ${id})`
}

export async function listVideosToApprove(
  db: Database,
  input: PageInput & { q?: string | undefined; viewer: Viewer },
) {
  let query = selectVideos(db, input).where(waitsForApproval)
  if (input.q) {
    query = query.where(
      containsText(['videos.title', 'users.displayName', 'users.username'], input.q),
    )
  }
  query = query
    .where(isVisibleVideo(input.viewer))
    .orderBy('videos.publishedAt')
    .orderBy('videos.id')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '>', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}

export async function listLikedVideos(db: Database, input: PageInput & { viewer: Viewer }) {
  let query = selectVideos(db, input)
    .innerJoin('likes', 'likes.videoId', 'videos.id')
    .select('likes.createdAt as likedAt')
    .where('likes.userId', '=', input.viewer.id)
    // As in the partial index.
    .where(sql<SqlBool>`"likes"."videoId" IS NOT NULL AND "likes"."isLike" = 1`)
    .where(isVisibleVideo(input.viewer))
    .orderBy('likes.createdAt', 'desc')
    .orderBy('likes.videoId', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('likes.createdAt', 'likes.videoId'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.likedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}
