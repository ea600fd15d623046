import { type RawBuilder, sql } from 'kysely'
import { inBatches } from '#server/platform/db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { PostsTable } from '#server/platform/db/tables/channel.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedOrOwnVideo } from '#server/video/video/video.access.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { CommentSort } from '#shared/schemas/comment.schemas.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { Like, Video } from '#shared/schemas/video.schemas.ts'
import { commentOrder } from '../comment/comment-order.queries.ts'
import { isVisiblePost } from './post.access.ts'

type Asking = { viewer: Viewer | undefined }

/** Each takes its likes and notifications along. */
const DELETED_AT_A_TIME = 100

/** The posts and comments on posts that exist for `viewer`, with their authors. */
function selectPosts(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('posts')
    .leftJoin('users', 'users.id', 'posts.userId')
    .select(['posts.id', 'posts.channelId', 'posts.userId', 'posts.parentId', 'posts.topCommentId'])
    .select(['posts.content'])
    .select(['posts.videoId', 'posts.likeCount', 'posts.dislikeCount', 'posts.createdAt'])
    .select(['posts.editedAt', 'posts.withheld'])
    .select(['users.username', 'users.displayName', 'users.avatarUrl'])
    .select(likeOfPost(viewer).as('myRating'))
    .select(
      sql<number>`(
        SELECT count(*) FROM "posts" AS "answers"
        WHERE ("answers"."parentId" = "posts"."id" OR "answers"."topCommentId" = "posts"."id")
          AND ${isVisiblePost(viewer, 'answers')}
      )`.as('commentCount'),
    )
    .where(isVisiblePost(viewer))
}

type PostSelection = Awaited<ReturnType<ReturnType<typeof selectPosts>['execute']>>[number]

/** Lists the posts of a channel, or the comments on one of them. */
export async function listPosts(
  db: Database,
  input: PageInput &
    Asking &
    ({ channelId: number } | { parentId: number }) & { sort?: CommentSort },
): Promise<Page<Post>> {
  const { viewer, limit, cursor, sort } = input
  const order = commentOrder('posts', sort)
  let query = selectPosts(db, input)
    .orderBy(order.key, 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit + 1)
  query =
    'parentId' in input
      ? query.where('posts.parentId', '=', input.parentId).where('posts.topCommentId', 'is', null)
      : query.where('posts.channelId', '=', input.channelId).where('posts.parentId', 'is', null)
  if (cursor) query = query.where(order.isAfter(cursor))
  const rows = await query.execute()
  const videos = await findShownVideos(db, { viewer, rows })
  return order.toPage(rows, limit, (row) => toPost(row, videos))
}

/** The replies to a comment on a post, the oldest first. */
export async function listPostReplies(
  db: Database,
  input: PageInput & Asking & { topCommentId: number },
): Promise<Page<Post>> {
  const { limit, cursor } = input
  let query = selectPosts(db, input)
    .where('posts.topCommentId', '=', input.topCommentId)
    .orderBy('posts.createdAt')
    .orderBy('posts.id')
    .limit(limit + 1)
  if (cursor) {
    const { time, id } = decodeCursor(cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('posts.createdAt', 'posts.id'), '>', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => toPost(row, new Map()),
  })
}

export async function findPost(
  db: Database,
  input: Asking & { id: number },
): Promise<Post | undefined> {
  const row = await selectPosts(db, input).where('posts.id', '=', input.id).executeTakeFirst()
  return row && toPost(row, await findShownVideos(db, { viewer: input.viewer, rows: [row] }))
}

/** An anonymous video is in no post, whoever asks: the post would name its owner. */
async function findShownVideos(
  db: Database,
  { viewer, rows }: Asking & { rows: { videoId: number | null }[] },
): Promise<Map<number, Video>> {
  const ids = rows.map(({ videoId }) => videoId).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const videos = await selectVideos(db, { viewer })
    .where('videos.id', 'in', listOf(ids))
    .where('videos.isAnonymous', '=', 0)
    .where(isListedOrOwnVideo(viewer))
    .execute()
  return new Map(videos.map((row) => [row.id, toVideo(row, viewer)]))
}

function toPost(row: PostSelection, videos: Map<number, Video>): Post {
  const { username, displayName, avatarUrl, videoId, ...fields } = row
  const known = row.userId !== null && username !== null && displayName !== null
  return {
    ...fields,
    user: known ? { id: row.userId as number, username, displayName, avatarUrl } : null,
    video: (videoId !== null && videos.get(videoId)) || null,
  }
}

function likeOfPost(viewer: Viewer | undefined): RawBuilder<Like | null> {
  if (!viewer) return sql`NULL`
  return sql`(
    SELECT CASE WHEN "postLikes"."isLike" = 1 THEN 'like' ELSE 'dislike' END FROM "postLikes"
    WHERE "postLikes"."userId" = ${viewer.id} AND "postLikes"."postId" = "posts"."id"
  )`
}

type NewPost = Pick<
  PostsTable,
  'channelId' | 'parentId' | 'topCommentId' | 'content' | 'videoId'
> & {
  userId: number
  withheld: 'held' | null
}

export async function insertPost(db: Database, post: NewPost): Promise<number> {
  const { id } = await db
    .insertInto('posts')
    .values({ ...post, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePost(
  db: Database,
  input: { id: number; content: string; waits: boolean },
): Promise<void> {
  const { id, content, waits } = input
  await db
    .updateTable('posts')
    .set({ content, editedAt: timestamp(), ...(waits && { withheld: 'held' as const }) })
    .where('id', '=', id)
    .execute()
}

/** Takes a video out of the posts that show it. */
export async function clearVideoOfPosts(db: Database, videoId: number): Promise<void> {
  await db.updateTable('posts').set({ videoId: null }).where('videoId', '=', videoId).execute()
}

export async function deletePost(db: Database, id: number): Promise<void> {
  await db.deleteFrom('posts').where('id', '=', id).execute()
}

/**
 * Deletes the comments on a post, or the replies to a comment on one, a batch at a time: with it all would go at once.
 */
export async function deleteCommentsOnPost(db: Database, id: number): Promise<void> {
  const some = [
    sql`SELECT "id" FROM "posts" WHERE "topCommentId" = ${id}`,
    // A comment takes its replies along.
    sql`SELECT "id" FROM "posts" WHERE "parentId" = ${id} AND "topCommentId" IS NOT NULL`,
    sql`SELECT "id" FROM "posts" WHERE "parentId" = ${id}`,
  ]
  for (const rows of some) {
    await inBatches(async () => {
      const result = await sql`
        DELETE FROM "posts" WHERE "id" IN (${rows} LIMIT ${DELETED_AT_A_TIME})`.execute(db)
      return Number(result.numAffectedRows ?? 0n)
    })
  }
}

/** Rates a post, or clears the rating, and counts it. */
export async function updatePostLike(
  db: DatabaseTransaction,
  input: { postId: number; userId: number; like: Like | null },
): Promise<LikeCounts> {
  const { postId, userId, like } = input
  const before = await db
    .deleteFrom('postLikes')
    .where('postId', '=', postId)
    .where('userId', '=', userId)
    .returning('isLike')
    .executeTakeFirst()
  if (like) {
    const isLike = like === 'like' ? 1 : 0
    await db.insertInto('postLikes').values({ postId, userId, isLike }).execute()
  }
  const likes = Number(like === 'like') - Number(before?.isLike === 1)
  const dislikes = Number(like === 'dislike') - Number(before?.isLike === 0)
  const counts = await db
    .updateTable('posts')
    .set({
      likeCount: sql`"likeCount" + ${likes}`,
      dislikeCount: sql`"dislikeCount" + ${dislikes}`,
    })
    .where('id', '=', postId)
    .returning(['likeCount', 'dislikeCount'])
    .executeTakeFirstOrThrow()
  return { ...counts, myRating: like }
}
