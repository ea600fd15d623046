import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { containsFolded, joinFound, listOf } from '#server/platform/db/expressions.ts'
import { inOrder } from '#server/platform/db/in-order.ts'
import {
  cutPage,
  decodeCursor,
  decodeSortCursor,
  encodeCursor,
  encodeSortCursor,
} from '#server/platform/db/paging.ts'
import { foldText } from '#server/platform/db/words.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { audienceOf, isListedFor, isListedVideo, isVisibleVideo } from '../video/video.access.ts'
import { isNotHidden } from '../video/video.queries.ts'
import { namesNoOwner, selectClips, toClips } from './clip.queries.ts'

type Asking = { viewer: Viewer | undefined }
type ListInput = PageInput & Asking

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
/** Newest clips that a search reads: some 10 ms. */
const SEARCHED_CLIPS = 20_000

export async function listClipsOfVideo(
  db: Database,
  input: ListInput & { id: number },
): Promise<Page<Clip>> {
  return listSorted(db, input, {
    sort: 'likes',
    key: sql`"clips"."likeCount"`,
    where: sql`"clips"."videoId" = ${input.id} AND ${isVisibleVideo(input.viewer)}`,
  })
}

export async function listBestClips(db: Database, input: ListInput): Promise<Page<Clip>> {
  const since = timestamp(new Date(Date.now() - WEEK_MS))
  return listSorted(db, input, {
    sort: 'best',
    key: sql`("clips"."likeCount" * 5 + "clips"."viewCount")`,
    where: sql`"clips"."createdAt" > ${since} AND ${isListedVideo(input.viewer)}
      AND ${isNotHidden(input.viewer)}`,
  })
}

/**
 * Keeps the order of `ids` and leaves out clips of videos that are not listed for the viewer or
 * that the viewer hid.
 */
export async function listClipsById(
  db: Database,
  input: Asking & { ids: number[]; limit: number; withoutSquads?: boolean },
): Promise<Clip[]> {
  const { ids, viewer, limit, withoutSquads } = input
  if (ids.length === 0) return []
  const isListed = withoutSquads ? isListedFor(audienceOf(viewer)) : isListedVideo(viewer)
  const rows = await selectClips(db, { viewer })
    .where(sql<SqlBool>`"clips"."id" IN ${listOf(ids)}`)
    .where(sql<SqlBool>`(${isListed} AND ${isNotHidden(viewer)})`)
    .execute()
  return toClips(db, { rows: inOrder(rows, ids).slice(0, limit), viewer })
}

export async function listNewestClips(db: Database, input: ListInput): Promise<Page<Clip>> {
  return listNewest(db, input, sql`${isListedVideo(input.viewer)} AND ${isNotHidden(input.viewer)}`)
}

export async function listClipsOfChannel(
  db: Database,
  input: ListInput & { id: number },
): Promise<Page<Clip>> {
  const { id, viewer } = input
  return listNewest(
    db,
    input,
    sql`"clips"."id" IN (
      SELECT "id" FROM "clips" WHERE "userId" = ${id}
      UNION SELECT "clips"."id" FROM "clips" JOIN "videos" ON "videos"."id" = "clips"."videoId"
        WHERE "videos"."userId" = ${id} AND "videos"."isAnonymous" = 0
    ) AND ${namesNoOwner} AND ${isListedVideo(viewer)}`,
  )
}

/** Returns clips that members of the squad made. Reads at most a page per member. */
export async function listClipsOfSquad(
  db: Database,
  input: PageInput & { squadId: number; viewer: Viewer },
): Promise<Page<Clip>> {
  const { squadId, viewer, limit, cursor } = input
  const isOlder = cursor ? sql`AND "clips"."id" < ${decodeCursor(cursor).id}` : sql``
  const ids = sql`SELECT "clips"."id" FROM "clips"
    JOIN "videos" ON "videos"."id" = "clips"."videoId"
    WHERE "clips"."userId" = "squadMembers"."userId" ${isOlder}
      AND ${namesNoOwner} AND ${isListedVideo(viewer)}
    ORDER BY "clips"."id" DESC LIMIT ${limit + 1}`
  const found = sql`(SELECT "found"."id" FROM "squadMembers"
    ${joinFound({ table: 'clips', as: 'found', ids })}
    WHERE "squadMembers"."squadId" = ${squadId})`
  return listNewest(db, input, sql`"clips"."id" IN ${found}`)
}

export async function listOwnClips(
  db: Database,
  input: PageInput & { viewer: Viewer },
): Promise<Page<Clip>> {
  const { viewer } = input
  return listNewest(db, input, sql`"clips"."userId" = ${viewer.id} AND (${isVisibleVideo(viewer)})`)
}

export async function searchClips(
  db: Database,
  input: ListInput & { q: string },
): Promise<Page<Clip>> {
  const words = foldText(input.q).split(/\s+/).filter(Boolean)
  if (words.length === 0) return { items: [], nextCursor: null }
  const found = words.map((word) => containsFolded(sql`"clips"."foldedTitle"`, word))
  const recent = sql`"clips"."id" > (SELECT max("id") FROM "clips") - ${SEARCHED_CLIPS}`
  return listNewest(
    db,
    input,
    sql`${recent} AND ${sql.join(found, sql` AND `)} AND ${isListedVideo(input.viewer)}`,
  )
}

async function listNewest(
  db: Database,
  input: ListInput,
  where: RawBuilder<unknown>,
): Promise<Page<Clip>> {
  const { limit, cursor, viewer } = input
  let query = selectClips(db, input)
    .where(sql<SqlBool>`(${where})`)
    .orderBy('clips.id', 'desc')
    .limit(limit + 1)
  if (cursor) query = query.where('clips.id', '<', decodeCursor(cursor).id)
  const { shown, nextCursor } = cutPage(await query.execute(), limit, ({ createdAt, id }) =>
    encodeCursor({ time: createdAt, id }),
  )
  return { items: await toClips(db, { rows: shown, viewer }), nextCursor }
}

async function listSorted(
  db: Database,
  input: ListInput,
  list: { sort: string; key: RawBuilder<number>; where: RawBuilder<unknown> },
): Promise<Page<Clip>> {
  const { limit, cursor, viewer } = input
  const { sort, key, where } = list
  let query = selectClips(db, input)
    .select(key.as('key'))
    .where(sql<SqlBool>`(${where})`)
    .orderBy(key, 'desc')
    .orderBy('clips.id', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const after = decodeSortCursor(cursor, sort)
    query = query.where(sql<SqlBool>`(${key}, "clips"."id") < (${after.key}, ${after.id})`)
  }
  const { shown, nextCursor } = cutPage(await query.execute(), limit, ({ key, id }) =>
    encodeSortCursor({ sort, key, id }),
  )
  return { items: await toClips(db, { rows: shown, viewer }), nextCursor }
}
