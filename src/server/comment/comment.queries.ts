import { type RawBuilder, sql } from 'kysely'
import type { Comment, Reply } from '#shared/comment.schemas.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Rating } from '#shared/video.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { inBatches } from '../db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '../db/database.ts'
import { decodeCursor, toPage } from '../db/paging.ts'
import { isPublicComment, isVisibleComment } from './comment.access.ts'

/** Each takes its ratings and notifications along. */
const REPLIES_DELETED_AT_A_TIME = 100

type Asking = { viewer: Viewer | undefined }

function selectComments(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.userId')
    .select([
      'comments.id',
      'comments.videoId',
      'comments.userId',
      'comments.content',
      'comments.likeCount',
      'comments.dislikeCount',
      'comments.parentId',
      'comments.createdAt',
      'comments.editedAt',
      'comments.isPinned',
      'comments.isHearted',
      'comments.withheld',
      'users.username',
      'users.displayName',
      'users.avatarUrl',
    ])
    .select(ratingOfComment(viewer).as('myRating'))
    .where(isVisibleComment(viewer))
}

type CommentSelection = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number]

/** Top comments of a video, newest first, each with its replies, oldest first. */
export async function listComments(db: Database, input: PageInput & Asking & { videoId: number }) {
  let query = selectComments(db, input)
    .where('comments.videoId', '=', input.videoId)
    .where('comments.parentId', 'is', null)
    .orderBy('comments.createdAt', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('comments.createdAt', 'comments.id'), '<', eb.tuple(time, id)),
    )
  }
  const page = toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: toReply,
  })
  const replies = await listReplies(db, {
    viewer: input.viewer,
    parentIds: page.items.map((comment) => comment.id),
  })
  const items: Comment[] = page.items.map((comment) => ({
    ...comment,
    replies: replies.filter((reply) => reply.parentId === comment.id),
  }))
  return { ...page, items }
}

async function listReplies(db: Database, input: Asking & { parentIds: number[] }) {
  if (input.parentIds.length === 0) return []
  const rows = await selectComments(db, input)
    .where('comments.parentId', 'in', input.parentIds)
    .orderBy('comments.createdAt')
    .orderBy('comments.id')
    .execute()
  return rows.map(toReply)
}

export async function findComment(
  db: Database,
  input: Asking & { id: number },
): Promise<Comment | undefined> {
  const row = await selectComments(db, input).where('comments.id', '=', input.id).executeTakeFirst()
  if (!row) return undefined
  return row.parentId === null ? { ...toReply(row), replies: [] } : toReply(row)
}

export type NewComment = {
  videoId: number
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

/** Deletes what answers a top comment, a batch at a time: with it all would go at once. */
export async function deleteReplies(db: Database, parentId: number): Promise<void> {
  await inBatches(async () => {
    const result = await sql`
      DELETE FROM comments WHERE id IN (
        SELECT id FROM comments WHERE parentId = ${parentId} LIMIT ${REPLIES_DELETED_AT_A_TIME}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
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
    .where('isPinned', '=', 1)
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

/** The comment that the video's owner put before the others, with its replies. */
export async function findPinnedComment(
  db: Database,
  input: Asking & { videoId: number },
): Promise<Comment | null> {
  const row = await selectComments(db, input)
    .where('comments.videoId', '=', input.videoId)
    .where('comments.isPinned', '=', 1)
    .executeTakeFirst()
  if (!row) return null
  const replies = await listReplies(db, { viewer: input.viewer, parentIds: [row.id] })
  return { ...toReply(row), replies }
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

/** The users behind names, whatever their case. */
export async function listUsersByName(db: Database, usernames: string[]) {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', usernames)
    .where('bannedAt', 'is', null)
    .execute()
}

function toReply(row: CommentSelection): Reply {
  const { username, displayName, avatarUrl, ...fields } = row
  const known = row.userId !== null && username !== null && displayName !== null
  return {
    ...fields,
    isPinned: row.isPinned === 1,
    isHearted: row.isHearted === 1,
    user: known ? { id: row.userId as number, username, displayName, avatarUrl } : null,
  }
}

function ratingOfComment(viewer: Viewer | undefined): RawBuilder<Rating | null> {
  if (!viewer) return sql`null`
  return sql`(
    SELECT iif(likes.isLike, 'like', 'dislike') FROM likes
    WHERE likes.userId = ${viewer.id} AND likes.commentId = comments.id
  )`
}
