import { type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Comment, CommentSort } from '#shared/schemas/comment.schemas.ts'
import { isPublicComment, isVisibleComment } from './comment.access.ts'
import { commentOrder } from './comment-order.queries.ts'
import { type Asking, selectComments, toReply } from './comment-rows.queries.ts'
import { withReplies } from './reply.queries.ts'

/** A video without its clips, or one of its clips. */
type Subject = { videoId: number; clipId?: number | null | undefined }

/** Lists top comments of a video or of one of its clips, each with its first replies, the oldest of these first. */
export async function listComments(
  db: Database,
  input: PageInput & Asking & Subject & { sort?: CommentSort },
) {
  const { cursor, limit, sort } = input
  const order = commentOrder('comments', sort)
  let query = selectComments(db, input)
    .where('comments.videoId', '=', input.videoId)
    .where(isAbout(input))
    .where('comments.parentId', 'is', null)
    .orderBy(order.key, 'desc')
    .orderBy('comments.id', 'desc')
    .limit(limit + 1)
  if (cursor) query = query.where(order.isAfter(cursor))
  const page = order.toPage(await query.execute(), limit, toReply)
  const items = await withReplies(db, { viewer: input.viewer, comments: page.items })
  return { ...page, items }
}

function isAbout({ clipId }: Subject) {
  return clipId
    ? sql<SqlBool>`"comments"."clipId" = ${clipId}`
    : sql<SqlBool>`"comments"."clipId" IS NULL`
}

/** Counts the comments and replies of a video, or of one of its clips, that the viewer can reach. */
export async function countComments(db: Database, input: Asking & Subject): Promise<number> {
  const { viewer, videoId } = input
  const about = sql`"comments"."videoId" = ${videoId} AND ${isAbout(input)}`
  // Public comments are counted from an index alone; a video has few others.
  const withheld = viewer
    ? sql`(SELECT count(*) FROM "comments"
        WHERE ${about} AND "comments"."withheld" IS NOT NULL AND ${isVisibleComment(viewer)})`
    : sql`0`
  const { rows } = await sql<{ count: number }>`
    SELECT ${withheld} + (
      SELECT count(*) FROM "comments" WHERE ${about} AND ${isPublicComment}
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
