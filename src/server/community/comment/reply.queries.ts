import { sql } from 'kysely'
import { inBatches } from '#server/platform/db/batches.ts'
import type { Database } from '#server/platform/db/database.ts'
import { eachOf, joinFound } from '#server/platform/db/expressions.ts'
import { decodeCursor, encodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import { REPLIES_SHOWN } from '#shared/limits.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import { isCountedComment, isPublicComment, isVisibleComment } from '../writing/writing.access.ts'
import { type Asking, selectComments, toReply } from './comment-rows.queries.ts'

/** For a page; beyond it each comment has fewer. */
const REPLIES_OF_A_PAGE = 1000
const FEWER_REPLIES = 10
/** Each with likes and notifications. */
const DELETED_AT_A_TIME = 100

/** First replies, number of all, and cursor to the rest. */
export async function withReplies(
  db: Database,
  input: Asking & { comments: Reply[] },
): Promise<Comment[]> {
  const { viewer, comments } = input
  if (comments.length === 0) return []
  const asked = { viewer, parentIds: comments.map(({ id }) => id) }
  const first = await listFirstReplies(db, asked)
  const counts = await countReplies(db, asked)
  return comments.map((comment) => {
    const replies = first.get(comment.id) ?? []
    const replyCount = counts.get(comment.id) ?? 0
    const last = replies.at(-1)
    const hasMore = last !== undefined && replyCount > replies.length
    const nextReplyCursor = hasMore ? encodeCursor({ time: last.createdAt, id: last.id }) : null
    return { ...comment, replies, replyCount, nextReplyCursor }
  })
}

export async function listReplies(
  db: Database,
  input: PageInput & Asking & { parentId: number },
): Promise<Page<Reply>> {
  let query = selectComments(db, input)
    .where('comments.parentId', '=', input.parentId)
    .orderBy('comments.createdAt')
    .orderBy('comments.id')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('comments.createdAt', 'comments.id'), '>', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: toReply,
  })
}

/** Deleting the top comment would delete all at once. */
export async function deleteReplies(db: Database, parentId: number): Promise<void> {
  await inBatches(async () => {
    const result = await sql`
      DELETE FROM "comments" WHERE "id" IN (
        SELECT "id" FROM "comments" WHERE "parentId" = ${parentId} LIMIT ${DELETED_AT_A_TIME}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

type OfParents = Asking & { parentIds: number[] }

async function listFirstReplies(db: Database, asked: OfParents): Promise<Map<number, Reply[]>> {
  let ids = await listFirstIds(db, { ...asked, most: REPLIES_SHOWN })
  if (ids.length > REPLIES_OF_A_PAGE) {
    ids = await listFirstIds(db, { ...asked, most: FEWER_REPLIES })
  }
  const replies = new Map<number, Reply[]>()
  if (ids.length === 0) return replies
  const rows = await selectComments(db, asked)
    .where('comments.id', 'in', ids)
    .orderBy('comments.createdAt')
    .orderBy('comments.id')
    .execute()
  for (const row of rows) {
    const parentId = row.parentId ?? 0
    const known = replies.get(parentId)
    if (known) known.push(toReply(row))
    else replies.set(parentId, [toReply(row)])
  }
  return replies
}

async function listFirstIds(db: Database, input: OfParents & { most: number }): Promise<number[]> {
  const ids = sql`SELECT "comments"."id" FROM "comments"
    WHERE "comments"."parentId" = "parents"."value" AND ${isVisibleComment(input.viewer)}
    ORDER BY "comments"."createdAt", "comments"."id" LIMIT ${input.most}`
  const { rows } = await sql<{ id: number }>`
    SELECT "replies"."id" FROM ${eachOf(input.parentIds)} AS "parents"
    ${joinFound({ table: 'comments', as: 'replies', ids })}`.execute(db)
  return rows.map((row) => row.id)
}

/** Public ones are counted in an index. */
async function countReplies(db: Database, asked: OfParents): Promise<Map<number, number>> {
  const withheld = asked.viewer
    ? sql`(SELECT count(*) FROM "comments" WHERE "comments"."parentId" = "parents"."value"
        AND "comments"."withheld" IS NOT NULL AND ${isCountedComment(asked.viewer)})`
    : sql`0`
  const { rows } = await sql<{ id: number; count: number }>`
    SELECT "parents"."value" AS "id", ${withheld} + (
      SELECT count(*) FROM "comments" WHERE "comments"."parentId" = "parents"."value" AND ${isPublicComment}
    ) AS "count"
    FROM ${eachOf(asked.parentIds)} AS "parents"`.execute(db)
  return new Map(rows.map((row) => [row.id, row.count]))
}
