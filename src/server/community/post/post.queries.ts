import { type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { joinFound, listOf } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { PostsTable } from '#server/platform/db/tables/channel.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { selectClips, toClips } from '#server/video/clip/clip.queries.ts'
import { likeOf } from '#server/video/like/like.queries.ts'
import { isListedOrOwnVideo, isVisibleVideo } from '#server/video/video/video.access.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { commentCount } from '../writing/comment-count.queries.ts'
import { isVisiblePost } from '../writing/writing.access.ts'

type Asking = { viewer: Viewer | undefined }

const isOnPost = (alias: string) => sql<SqlBool>`${sql.ref(`${alias}.postId`)} = "posts"."id"`

function selectPosts(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.channelId')
    .leftJoin('squads', 'squads.id', 'posts.squadId')
    .select(['squads.id as squadId', 'squads.name as squadName'])
    .select(['posts.id', 'posts.channelId', 'posts.content', 'posts.videoId', 'posts.likeCount'])
    .select([
      'posts.clipId',
      'posts.dislikeCount',
      'posts.createdAt',
      'posts.editedAt',
      'posts.withheld',
    ])
    .select(['users.username', 'users.displayName', 'users.avatarUrl'])
    .select(likeOf('post', viewer).as('myRating'))
    .select(commentCount(viewer, isOnPost).as('commentCount'))
    .where(isVisiblePost(viewer))
}

type PostSelection = Awaited<ReturnType<ReturnType<typeof selectPosts>['execute']>>[number]

export async function listPosts(
  db: Database,
  input: PageInput & Asking & { channelId: number },
): Promise<Page<Post>> {
  const { viewer, limit, cursor, channelId } = input
  let query = selectPosts(db, input)
    .where('posts.channelId', '=', channelId)
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const { time, id } = decodeCursor(cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('posts.createdAt', 'posts.id'), '<', eb.tuple(time, id)),
    )
  }
  const rows = await query.execute()
  const shown = await findShown(db, { viewer, rows })
  return toPage(rows, limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => toPost(row, shown),
  })
}

/**
 * Lists what members of the squad posted for it or for everyone. Reads at most a page per member to
 * bound the sorting.
 */
export async function listPostsOfSquad(
  db: Database,
  input: PageInput & { squadId: number; viewer: Viewer },
): Promise<Page<Post>> {
  const { viewer, limit, cursor, squadId } = input
  const last = cursor ? decodeCursor(cursor) : undefined
  const isOlder = last
    ? sql`AND ("posts"."createdAt", "posts"."id") < (${last.time}, ${last.id})`
    : sql``
  const ids = sql`SELECT "posts"."id" FROM "posts"
    WHERE "posts"."channelId" = "squadMembers"."userId"
      AND ("posts"."squadId" IS NULL OR "posts"."squadId" = "squadMembers"."squadId")
      AND ${isVisiblePost(viewer)} ${isOlder}
    ORDER BY "posts"."createdAt" DESC, "posts"."id" DESC LIMIT ${limit + 1}`
  const { rows } = await sql<{ id: number; createdAt: string }>`
    SELECT "found"."id", "found"."createdAt" FROM "squadMembers"
    ${joinFound({ table: 'posts', as: 'found', ids })}
    WHERE "squadMembers"."squadId" = ${squadId}
    ORDER BY "found"."createdAt" DESC, "found"."id" DESC LIMIT ${limit + 1}`.execute(db)
  const { items: shown, nextCursor } = toPage(rows, limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => row.id,
  })
  const found = await selectPosts(db, { viewer })
    .where('posts.id', 'in', listOf(shown))
    .orderBy('posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc')
    .execute()
  const attached = await findShown(db, { viewer, rows: found })
  return { items: found.map((row) => toPost(row, attached)), nextCursor }
}

export async function findPost(
  db: Database,
  input: Asking & { id: number },
): Promise<Post | undefined> {
  const row = await selectPosts(db, input).where('posts.id', '=', input.id).executeTakeFirst()
  return row && toPost(row, await findShown(db, { viewer: input.viewer, rows: [row] }))
}

/** Also returns what decides whether the post takes comments. */
export async function findPostOwner(db: Database, { id, viewer }: Asking & { id: number }) {
  return db
    .selectFrom('posts')
    .select(['posts.id', 'posts.channelId', 'posts.withheld'])
    .where('posts.id', '=', id)
    .where(isVisiblePost(viewer))
    .executeTakeFirst()
}

/** Leaves out anonymous videos, even for their owners, because the post would name the owner. */
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

/**
 * Finds the clips of posts that the viewer may see. Members may post any clip that they can watch, so visibility is
 * checked for each reader.
 */
async function findShownClips(
  db: Database,
  { viewer, rows }: Asking & { rows: { clipId: number | null }[] },
): Promise<Map<number, Clip>> {
  const ids = rows.map(({ clipId }) => clipId).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const found = await selectClips(db, { viewer })
    .where('clips.id', 'in', listOf(ids))
    .where(isVisibleVideo(viewer))
    .execute()
  const clips = await toClips(db, { rows: found, viewer })
  return new Map(clips.map((clip) => [clip.id, clip]))
}

type Shown = { videos: Map<number, Video>; clips: Map<number, Clip> }

async function findShown(
  db: Database,
  input: Asking & { rows: { videoId: number | null; clipId: number | null }[] },
): Promise<Shown> {
  return { videos: await findShownVideos(db, input), clips: await findShownClips(db, input) }
}

function toPost(row: PostSelection, { videos, clips }: Shown): Post {
  const { username, displayName, avatarUrl, videoId, clipId, squadId, squadName, ...fields } = row
  return {
    ...fields,
    squad: squadId !== null && squadName !== null ? { id: squadId, name: squadName } : null,
    user: { id: row.channelId, username, displayName, avatarUrl },
    video: (videoId !== null && videos.get(videoId)) || null,
    clip: (clipId !== null && clips.get(clipId)) || null,
  }
}

type NewPost = Omit<PostsTable, 'id' | 'likeCount' | 'dislikeCount' | 'createdAt' | 'editedAt'>

export async function insertPost(db: Database, post: NewPost): Promise<number> {
  const { id } = await db
    .insertInto('posts')
    .values({ ...post, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function hasSentClip(
  db: Database,
  { clipId, ...by }: { clipId: number; squadId: number; channelId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('clipId', '=', clipId)
    .where('squadId', '=', by.squadId)
    .where('channelId', '=', by.channelId)
    .executeTakeFirst()
  return row !== undefined
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

export async function clearVideoOfPosts(db: Database, videoId: number): Promise<void> {
  await db.updateTable('posts').set({ videoId: null }).where('videoId', '=', videoId).execute()
}

export async function deletePost(db: Database, id: number): Promise<void> {
  await db.deleteFrom('posts').where('id', '=', id).execute()
}
