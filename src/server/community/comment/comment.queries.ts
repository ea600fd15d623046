import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { CommentsTable } from '#server/platform/db/tables/comment.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { NEW_COMMENTS_MAX } from '#shared/limits.ts'
import type { Comment, CommentPlace, CommentSort, Reply } from '#shared/schemas/comment.schemas.ts'
import { commentCount } from '../writing/comment-count.queries.ts'
import { isVisibleComment } from '../writing/writing.access.ts'
import { commentOrder } from './comment-order.queries.ts'
import { type Asking, selectComments, toReply } from './comment-rows.queries.ts'
import { withReplies } from './reply.queries.ts'

/** Top comments with their first replies, oldest first. */
export async function listComments(
  db: Database,
  input: PageInput & Asking & CommentPlace & { sort?: CommentSort },
) {
  const { cursor, limit, sort } = input
  const order = commentOrder(sort)
  let query = selectComments(db, input)
    .where(isOn(input))
    .where('comments.parentId', 'is', null)
    .orderBy(order.key, 'desc')
    .orderBy('comments.id', 'desc')
    .limit(limit + 1)
  if (cursor) query = query.where(order.isAfter(cursor))
  const page = order.toPage(await query.execute(), limit, toReply)
  const items = await withReplies(db, { viewer: input.viewer, comments: page.items })
  return { ...page, items }
}

/** Lists comments and replies whose id is above `after`, newest first. */
export async function listNewComments(
  db: Database,
  input: Asking & CommentPlace & { after: number },
): Promise<Reply[]> {
  const hasVisibleTop = sql<boolean>`("comments"."parentId" IS NULL OR EXISTS (
    SELECT 1 FROM "comments" AS "tops"
    WHERE "tops"."id" = "comments"."parentId" AND ${isVisibleComment(input.viewer, 'tops')}))`
  const rows = await selectComments(db, input)
    .where(isOn(input))
    .where('comments.id', '>', input.after)
    .where(hasVisibleTop)
    .orderBy('comments.id', 'desc')
    .limit(NEW_COMMENTS_MAX)
    .execute()
  return rows.map(toReply)
}

/** A comment on a clip is not on its video. */
function isOn(place: CommentPlace, table = 'comments'): RawBuilder<SqlBool> {
  const [videoId, clipId, postId] = ['videoId', 'clipId', 'postId'].map((name) =>
    sql.ref(`${table}.${name}`),
  )
  if (place.postId) return sql`${postId} = ${place.postId}`
  if (place.clipId) return sql`${videoId} = ${place.videoId} AND ${clipId} = ${place.clipId}`
  return sql`${videoId} = ${place.videoId} AND ${clipId} IS NULL`
}

/** With replies. */
export async function countComments(db: Database, input: Asking & CommentPlace): Promise<number> {
  const count = commentCount(input.viewer, (alias) => isOn(input, alias))
  const { rows } = await sql<{ count: number }>`SELECT ${count} AS "count"`.execute(db)
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

type NewComment = Pick<
  CommentsTable,
  'videoId' | 'clipId' | 'postId' | 'userId' | 'content' | 'parentId' | 'withheld'
>

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

export async function updatePinned(
  db: DatabaseTransaction,
  input: CommentPlace & { id: number; isPinned: boolean },
): Promise<void> {
  const { id, isPinned } = input
  if (isPinned) {
    await db.updateTable('comments').set({ isPinned: 0 }).where(isPinnedOn(input)).execute()
  }
  const set = { isPinned: isPinned ? 1 : 0 } as const
  await db.updateTable('comments').set(set).where('id', '=', id).execute()
}

function isPinnedOn({ videoId, clipId, postId }: CommentPlace): RawBuilder<SqlBool> {
  const isAbout = postId
    ? sql`"comments"."postId" = ${postId}`
    : sql`"comments"."videoId" = ${videoId} AND coalesce("comments"."clipId", 0) = ${clipId ?? 0}`
  return sql`${isAbout} AND "comments"."isPinned" = 1`
}

export async function updateHearted(
  db: Database,
  input: { id: number; isHearted: boolean },
): Promise<void> {
  const isHearted = input.isHearted ? 1 : 0
  await db.updateTable('comments').set({ isHearted }).where('id', '=', input.id).execute()
}

export async function findPinnedComment(
  db: Database,
  input: Asking & CommentPlace,
): Promise<Comment | null> {
  const row = await selectComments(db, input).where(isPinnedOn(input)).executeTakeFirst()
  if (!row) return null
  const [comment = null] = await withReplies(db, { ...input, comments: [toReply(row)] })
  return comment
}
