import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { isPublishedVideo } from '#server/video/video/video.access.ts'
import type { PageInput } from '#shared/field.schemas.ts'

type Filter = PageInput & { q?: string | undefined }
type Change = { id: number; withheld: 'hidden' | 'banned' | null }

export async function findModeratedComment(db: Database, id: number) {
  return db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.userId')
    .leftJoin('videos', 'videos.id', 'comments.videoId')
    .leftJoin('clips', 'clips.id', 'comments.clipId')
    .leftJoin('posts', 'posts.id', 'comments.postId')
    .leftJoin('comments as tops', 'tops.id', 'comments.parentId')
    .select(['comments.id', 'comments.userId', 'comments.content', 'comments.withheld'])
    .select(['comments.videoId', 'comments.clipId', 'comments.postId', 'comments.parentId'])
    .select([
      'tops.userId as answeredId',
      'clips.userId as clipMakerId',
      'clips.title as clipTitle',
    ])
    .select(['videos.title as videoTitle', 'videos.userId as videoOwnerId'])
    .select(['posts.channelId', 'posts.withheld as postWithheld'])
    .select(['users.username', 'users.displayName', 'users.bannedAt'])
    .select(sql<Flag | null>`${isPublishedVideo}`.as('videoIsPublished'))
    .where('comments.id', '=', id)
    .executeTakeFirst()
}

export async function findModeratedPost(db: Database, id: number) {
  return db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.channelId')
    .select([
      'posts.id',
      'posts.channelId as userId',
      'posts.content',
      'posts.withheld',
      'posts.squadId',
    ])
    .select(['users.username', 'users.displayName', 'users.bannedAt'])
    .where('posts.id', '=', id)
    .executeTakeFirst()
}

export async function updateWithheldComment(db: Database, { id, withheld }: Change): Promise<void> {
  await db
    .updateTable('comments')
    .set({ withheld, ...(withheld && { isPinned: 0 as Flag }) })
    .where('id', '=', id)
    .execute()
}

export async function updateWithheldPost(db: Database, { id, withheld }: Change): Promise<void> {
  await db.updateTable('posts').set({ withheld }).where('id', '=', id).execute()
}

/** Oldest first, without banned members'. */
export async function listHeldComments(db: Database, input: Filter) {
  let query = db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.userId')
    .leftJoin('videos', 'videos.id', 'comments.videoId')
    .leftJoin('posts', 'posts.id', 'comments.postId')
    .leftJoin('users as channels', 'channels.id', 'posts.channelId')
    .select(['comments.id', 'comments.content', 'comments.createdAt', 'comments.videoId'])
    .select([
      'videos.title as videoTitle',
      'posts.channelId',
      'channels.displayName as channelName',
    ])
    .select(['users.id as userId', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .select('users.createdAt as memberSince')
    .where('comments.withheld', '=', sql.lit('held'))
    .where('users.bannedAt', 'is', null)
    .orderBy('comments.createdAt')
    .orderBy('comments.id')
    .limit(input.limit + 1)
  if (input.q) {
    const names = ['users.username', 'users.displayName', 'channels.displayName', 'videos.title']
    query = query.where(containsText(['comments.content', ...names], input.q))
  }
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('comments.createdAt', 'comments.id'), '>', eb.tuple(time, id)),
    )
  }
  return toHeldPage(await query.execute(), input.limit)
}

/** Oldest first, without banned members'. */
export async function listHeldPosts(db: Database, input: Filter) {
  let query = db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.channelId')
    .select(['posts.id', 'posts.content', 'posts.createdAt', 'posts.channelId'])
    .select(['users.username', 'users.displayName', 'users.avatarUrl'])
    .select('users.createdAt as memberSince')
    .where('posts.withheld', '=', sql.lit('held'))
    .where('users.bannedAt', 'is', null)
    .orderBy('posts.createdAt')
    .orderBy('posts.id')
    .limit(input.limit + 1)
  if (input.q) {
    const columns = ['posts.content', 'users.username', 'users.displayName']
    query = query.where(containsText(columns, input.q))
  }
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('posts.createdAt', 'posts.id'), '>', eb.tuple(time, id)),
    )
  }
  return toHeldPage(await query.execute(), input.limit)
}

function toHeldPage<Row extends { id: number; createdAt: string }>(rows: Row[], limit: number) {
  return toPage(rows, limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => row,
  })
}
