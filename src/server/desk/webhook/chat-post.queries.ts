import { type Selectable, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { ChatPostsTable } from '#server/platform/db/tables/webhook.ts'
import { DELIVERIES_SHOWN } from '#shared/webhooks.ts'

export type ChatPostRow = Selectable<ChatPostsTable>

/** Does nothing if the webhook already has a post of the video. */
export async function insertChatPost(
  db: Database,
  post: { webhookId: number; videoId: number },
): Promise<void> {
  const now = timestamp()
  await db
    .insertInto('chatPosts')
    .values({ ...post, createdAt: now, nextAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findChatPost(db: Database, id: number): Promise<ChatPostRow | undefined> {
  return db.selectFrom('chatPosts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Leaves out posts of paused and of `busy` webhooks. */
export async function findDueChatPost(
  db: Database,
  { now, busy }: { now: string; busy: number[] },
): Promise<ChatPostRow | undefined> {
  let query = db
    .selectFrom('chatPosts')
    .innerJoin('webhooks', 'webhooks.id', 'chatPosts.webhookId')
    .selectAll('chatPosts')
    .where('chatPosts.nextAt', 'is not', null)
    .where('chatPosts.nextAt', '<=', now)
    .where('webhooks.isActive', '=', sql.lit(1))
    .where('webhooks.pausedAt', 'is', null)
    .orderBy('chatPosts.nextAt')
    .orderBy('chatPosts.id')
    .limit(1)
  if (busy.length > 0) query = query.where('chatPosts.webhookId', 'not in', busy)
  return query.executeTakeFirst()
}

/** @returns false unless it waited */
export async function beginChatPost(
  db: DatabaseTransaction,
  { id, content }: { id: number; content: string },
): Promise<boolean> {
  const result = await db
    .updateTable('chatPosts')
    .set({ state: 'sending', content })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** If the video has changed since `version` was read, the post is due again at once. */
export async function settleChatPost(
  db: DatabaseTransaction,
  input: {
    id: number
    version: number
    nextAt: string | null
    change: Partial<Omit<ChatPostRow, 'id' | 'version' | 'nextAt'>>
  },
): Promise<void> {
  const { id, version, nextAt, change } = input
  await db
    .updateTable('chatPosts')
    .set({
      ...change,
      nextAt: sql<
        string | null
      >`CASE WHEN "version" = ${version} THEN ${nextAt} ELSE ${timestamp()} END`,
    })
    .where('id', '=', id)
    .execute()
}

/** Makes posts due that wait for the file of the job's video. */
export async function wakeChatPosts(db: Database, jobId: number): Promise<void> {
  await db
    .updateTable('chatPosts')
    .set({ nextAt: timestamp() })
    .where('state', '=', 'waiting')
    .where('nextAt', 'is', null)
    .where('videoId', 'in', (eb) =>
      eb.selectFrom('jobs').select('jobs.videoId').where('jobs.id', '=', jobId),
    )
    .execute()
}

/** Returns the newest first. */
export async function listChatPosts(db: Database, webhookId: number) {
  return db
    .selectFrom('chatPosts')
    .leftJoin('videos', 'videos.id', 'chatPosts.videoId')
    .select(['chatPosts.id', 'chatPosts.videoId', 'chatPosts.state', 'chatPosts.createdAt'])
    .select(['chatPosts.nextAt', 'chatPosts.lastError', 'videos.title'])
    .where('chatPosts.webhookId', '=', webhookId)
    .orderBy('chatPosts.id', 'desc')
    .limit(DELIVERIES_SHOWN)
    .execute()
}

/** Returns whether the file for chats may still be made. */
export async function isLadderComing(db: Database, videoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('videoId', '=', videoId)
    .where('kind', '=', 'ladder')
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
