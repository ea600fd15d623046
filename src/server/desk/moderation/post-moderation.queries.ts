import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { PageInput } from '#shared/field.schemas.ts'

export async function findModeratedPost(db: Database, id: number) {
  return db
    .selectFrom('posts')
    .leftJoin('users', 'users.id', 'posts.userId')
    .leftJoin('posts as top', 'top.id', 'posts.topCommentId')
    .select(['posts.id', 'posts.userId', 'posts.channelId', 'posts.parentId', 'posts.content'])
    .select(['posts.topCommentId', 'top.userId as answered'])
    .select(['posts.withheld', 'users.username', 'users.displayName'])
    .select('users.bannedAt as authorBannedAt')
    .where('posts.id', '=', id)
    .executeTakeFirst()
}

export async function updateWithheldPost(
  db: Database,
  input: { id: number; withheld: 'hidden' | 'banned' | null },
): Promise<void> {
  await db
    .updateTable('posts')
    .set({ withheld: input.withheld })
    .where('id', '=', input.id)
    .execute()
}

export async function listHeldPosts(db: Database, input: PageInput & { q?: string | undefined }) {
  let query = db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.userId')
    .innerJoin('users as channels', 'channels.id', 'posts.channelId')
    .select(['posts.id', 'posts.content', 'posts.createdAt', 'posts.channelId'])
    .select(['channels.displayName as channelName', 'users.id as userId', 'users.username'])
    .select(['users.displayName', 'users.avatarUrl', 'users.createdAt as memberSince'])
    .select(sql<number>`("posts"."parentId" IS NOT NULL)`.as('isComment'))
    .where('posts.withheld', '=', sql.lit('held'))
    .where('users.bannedAt', 'is', null)
    .orderBy('posts.createdAt')
    .orderBy('posts.id')
    .limit(input.limit + 1)
  if (input.q) {
    const columns = ['posts.content', 'users.username', 'users.displayName', 'channels.displayName']
    query = query.where(containsText(columns, input.q))
  }
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('posts.createdAt', 'posts.id'), '>', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => ({ ...row, isComment: row.isComment === 1 }),
  })
}
