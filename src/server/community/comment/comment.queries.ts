import { type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { decodeCursor, toPage, toSortedPage } from '#server/platform/db/paging.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Comment, CommentSort } from '#shared/schemas/comment.schemas.ts'
import { bestFirst } from './best-first.queries.ts'
import { isPublicComment, isVisibleComment } from './comment.access.ts'
import { type Asking, selectComments, toReply } from './comment-rows.queries.ts'
import { withReplies } from './reply.queries.ts'

/** A video without its clips, or one clip of it. */
type Subject = { videoId: number; clipId?: number | null | undefined }

const BEST = bestFirst('comments')

/**
 * Top comments of a video, or of a clip of it, newest first or the best liked first, each with its first replies, oldest
 * first.
 */
export async function listComments(
  db: Database,
  input: PageInput & Asking & Subject & { sort?: CommentSort },
) {
  const { cursor, limit, sort } = input
  let query = selectComments(db, input)
    .where('comments.videoId', '=', input.videoId)
    .where(isAbout(input))
    .where('comments.parentId', 'is', null)
    .limit(limit + 1)
  if (sort === 'best') {
    query = query.orderBy(BEST.score, 'desc').orderBy('comments.id', 'desc')
    if (cursor) query = query.where(BEST.isAfter(cursor))
  } else {
    query = query.orderBy('comments.createdAt', 'desc').orderBy('comments.id', 'desc')
    if (cursor) {
      const { time, id } = decodeCursor(cursor)
      query = query.where((eb) =>
        eb(eb.refTuple('comments.createdAt', 'comments.id'), '<', eb.tuple(time, id)),
      )
    }
  }
  const rows = await query.execute()
  const page =
    sort === 'best'
      ? toSortedPage(rows, limit, { position: BEST.position, item: toReply })
      : toPage(rows, limit, {
          position: (row) => ({ time: row.createdAt, id: row.id }),
          item: toReply,
        })
  const items = await withReplies(db, { viewer: input.viewer, comments: page.items })
  return { ...page, items }
}

function isAbout({ clipId }: Subject) {
  return clipId
    ? sql<SqlBool>`"comments"."clipId" = ${clipId}`
    : sql<SqlBool>`"comments"."clipId" IS NULL`
}

/** How many comments and replies of a video, or of a clip of it, the viewer can come to. */
export async function countComments(db: Database, input: Asking & Subject): Promise<number> {
  const { viewer, videoId } = input
  const about = sql`"comments"."videoId" = ${videoId} AND ${isAbout(input)}`
  // The public ones are counted in an index alone; of others a video has few.
  const withheld = viewer
    ? sql`(SELECT count(*) FROM "comments"
        WHERE ${about} AND "comments"."withheld" IS NOT NULL AND ${isVisibleComment(viewer)})`
    : sql`0`
  const { rows } = await sql<{ count: number }>`
    SELECT ${withheld} + (
      SELECT count(*) FROM "comments" WHERE ${about} AND "comments"."withheld" IS NULL
    ) - (
      SELECT count(*) FROM "comments" AS "tops" JOIN "comments" ON "comments"."parentId" = "tops"."id"
      WHERE "tops"."videoId" = ${videoId} AND "tops"."withheld" IS NOT NULL
        AND NOT ${isVisibleComment(viewer, 'tops')} AND ${isAbout(input)} AND ${isVisibleComment(viewer)}
    ) AS "count"`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findComment(
  db: Database,
  input: Asking & { id: number },
): Promise<Comment | undefined> {
  const row = await selectComments(db, input).where('comments.id', '=', input.id).executeTakeFirst()
  if (!row) return undefined
  return row.parentId === null ? { ...toReply(row), replies: [] } : toReply(row)
}

type NewComment = {
  videoId: number
  clipId: number | null
  userId: number
  content: string
  parentId: number | null
  withheld: 'held' | null
}

export async function insertComment(db: Database, comment: NewComment): Promise<number> {
  const { id } = await db
    .insertInto('comments')
    .values({ ...comment, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateComment(
  db: Database,
  input: { id: number; content: string; waits: boolean },
): Promise<void> {
  const { content, waits } = input
  const withheld = { withheld: 'held', isPinned: 0 } as const
  await db
    .updateTable('comments')
    .set({ content, editedAt: timestamp(), ...(waits && withheld) })
    .where('id', '=', input.id)
    .execute()
}

export async function deleteComment(db: Database, id: number): Promise<void> {
  await db.deleteFrom('comments').where('id', '=', id).execute()
}

/** Makes a comment the pinned one of its video, or leaves the video without one. */
export async function updatePinned(
  db: DatabaseTransaction,
  input: { id: number; videoId: number; isPinned: boolean },
): Promise<void> {
  await db
    .updateTable('comments')
    .set({ isPinned: 0 })
    .where('videoId', '=', input.videoId)
    .where('isPinned', '=', sql.lit(1))
    .execute()
  if (!input.isPinned) return
  await db.updateTable('comments').set({ isPinned: 1 }).where('id', '=', input.id).execute()
}

export async function updateHearted(
  db: Database,
  input: { id: number; isHearted: boolean },
): Promise<void> {
  const isHearted = input.isHearted ? 1 : 0
  await db.updateTable('comments').set({ isHearted }).where('id', '=', input.id).execute()
}

/** The comment that the video's owner put before the others, with its first replies. */
export async function findPinnedComment(
  db: Database,
  input: Asking & { videoId: number },
): Promise<Comment | null> {
  const row = await selectComments(db, input)
    .where('comments.videoId', '=', input.videoId)
    .where('comments.isPinned', '=', sql.lit(1))
    .executeTakeFirst()
  if (!row) return null
  const [comment = null] = await withReplies(db, { ...input, comments: [toReply(row)] })
  return comment
}

/** When an account was made. */
export async function findAccountAge(db: Database, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('createdAt')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.createdAt
}

/** How many comments of a member others see; it stops counting at `limit`. */
export async function countPublicComments(
  db: Database,
  input: { userId: number; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where('userId', '=', input.userId)
    .where(isPublicComment)
    .limit(input.limit)
    .execute()
  return rows.length
}
