import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { readMigrationsOf } from '#server/platform/db/needed-migration.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { createEmptyDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const LIKED_AT = '2026-02-01T00:00:00.000Z'
/** The last comment that there was; a later one than those that are left. */
const LAST_COMMENT = 9

const folder = setUpFolder('conversations')
let url: string
beforeAll(async () => {
  url = await createEmptyDatabase()
})
afterAll(() => dropDatabase(url))

/** Rows as the release before wrote them. */
async function insert(db: Database, table: string, rows: Record<string, unknown>[]): Promise<void> {
  for (const row of rows) {
    const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
    await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES (${sql.join(Object.values(row))})`.execute(
      db,
    )
  }
}

async function fill(db: Database): Promise<void> {
  const user = (username: string) => ({
    ...{ username, displayName: username, email: username, password: '-', createdAt: TIME },
  })
  await insert(db, 'users', [user('ann'), user('bob')])
  await insert(db, 'videos', [
    {
      ...{ userId: 1, mediaKey: 'a', title: 'Ace', publishedAt: TIME, processingState: 'ready' },
      ...{ likeCount: 1, dislikeCount: 0 },
    },
  ])
  await insert(db, 'clips', [
    {
      ...{ videoId: 1, userId: 2, title: 'Shot', foldedTitle: 'shot', createdAt: TIME },
      ...{ startSeconds: 0, endSeconds: 2, likeCount: 1 },
    },
  ])
  const said = { videoId: 1, userId: 2, createdAt: TIME }
  await insert(db, 'comments', [
    { ...said, content: 'On the video', isPinned: 1, likeCount: 0, dislikeCount: 1 },
    { ...said, content: 'Its reply', parentId: 1 },
    { ...said, content: 'On the clip', clipId: 1 },
    ...Array.from({ length: LAST_COMMENT - 3 }, () => ({ ...said, content: 'Deleted' })),
  ])
  await sql`DELETE FROM "comments" WHERE "content" = 'Deleted'`.execute(db)
  const post = { channelId: 1, createdAt: TIME }
  await insert(db, 'posts', [
    { ...post, userId: 1, content: 'Post', likeCount: 1, dislikeCount: 0, videoId: 1 },
    {
      ...{ ...post, userId: 2, content: 'On the post', parentId: 1, withheld: 'held' },
      ...{ likeCount: 0, dislikeCount: 1, editedAt: LIKED_AT },
    },
    { ...post, userId: null, content: 'Reply there', parentId: 1, topCommentId: 2 },
    { ...post, userId: 1, content: 'Another post' },
  ])
  const like = { userId: 2, isLike: 1, createdAt: LIKED_AT }
  await insert(db, 'likes', [
    { ...like, videoId: 1 },
    { ...like, commentId: 1, isLike: 0 },
  ])
  await insert(db, 'clipLikes', [{ clipId: 1, userId: 1, createdAt: LIKED_AT }])
  await insert(db, 'postLikes', [
    { userId: 2, postId: 1, isLike: 1 },
    { userId: 1, postId: 2, isLike: 0 },
  ])
  const told = { userId: 1, type: 'comment', title: '', message: '', createdAt: TIME }
  await insert(db, 'notifications', [
    { ...told, videoId: 1, commentId: 1 },
    { ...told, postId: 1 },
    { ...told, postId: 3 },
  ])
  const report = { reporterId: 2, subject: '', reason: 'Rude', state: 'open', createdAt: TIME }
  await insert(db, 'reports', [
    { ...report, kind: 'comment', commentId: 1 },
    { ...report, kind: 'post', postId: 1 },
    { ...report, kind: 'post', postId: 2 },
  ])
}

test('every comment, like, post, notification and report is carried over on both engines', async () => {
  for (const db of [openDatabase(folder), openPostgresDatabase(url)]) {
    const provider = readMigrationsOf(engineOf(db).migrationsFolder)
    await new Migrator({ db: db as unknown as Kysely<unknown>, provider }).migrateTo(
      '029-comment-order',
    )
    await fill(db)
    await migrateToLatest(db)
    await expectCarriedOver(db)
    await db.destroy()
  }
})

async function expectCarriedOver(db: Database): Promise<void> {
  const [onPost, reply] = [LAST_COMMENT + 2, LAST_COMMENT + 3]
  const comments = await db.selectFrom('comments').selectAll().orderBy('id').execute()
  expect(comments).toMatchObject([
    { id: 1, videoId: 1, clipId: null, postId: null, isPinned: 1, dislikeCount: 1 },
    { id: 2, videoId: 1, parentId: 1, content: 'Its reply' },
    { id: 3, videoId: 1, clipId: 1, postId: null },
    {
      ...{ id: onPost, videoId: null, clipId: null, postId: 1, parentId: null, userId: 2 },
      ...{ content: 'On the post', withheld: 'held', dislikeCount: 1, editedAt: LIKED_AT },
      ...{ createdAt: TIME, isPinned: 0, isHearted: 0 },
    },
    { id: reply, postId: 1, parentId: onPost, userId: null, content: 'Reply there' },
  ])
  expect(await db.selectFrom('posts').selectAll().orderBy('id').execute()).toMatchObject([
    { id: 1, channelId: 1, content: 'Post', videoId: 1, likeCount: 1, dislikeCount: 0 },
    { id: 4, channelId: 1, content: 'Another post', videoId: null },
  ])
  const likes = await db
    .selectFrom('likes')
    .select(['userId', 'videoId', 'clipId', 'commentId', 'postId', 'isLike', 'createdAt'])
    .orderBy('id')
    .execute()
  const none = { videoId: null, clipId: null, commentId: null, postId: null }
  expect(likes.slice(0, 3)).toEqual([
    { ...none, userId: 2, videoId: 1, isLike: 1, createdAt: LIKED_AT },
    { ...none, userId: 2, commentId: 1, isLike: 0, createdAt: LIKED_AT },
    { ...none, userId: 1, clipId: 1, isLike: 1, createdAt: LIKED_AT },
  ])
  // When these were given was not stored.
  expect(new Set(likes.slice(3))).toEqual(
    new Set([
      { ...none, userId: 2, postId: 1, isLike: 1, createdAt: TIME },
      { ...none, userId: 1, commentId: onPost, isLike: 0, createdAt: TIME },
    ]),
  )
  const about = ['videoId', 'commentId', 'postId'] as const
  const told = db.selectFrom('notifications').select(about).orderBy('id')
  expect(await told.execute()).toEqual([
    { videoId: 1, commentId: 1, postId: null },
    { videoId: null, commentId: null, postId: 1 },
    { videoId: null, commentId: reply, postId: 1 },
  ])
  const reports = db.selectFrom('reports').select(['kind', 'commentId', 'postId']).orderBy('id')
  expect(await reports.execute()).toEqual([
    { kind: 'comment', commentId: 1, postId: null },
    { kind: 'post', commentId: null, postId: 1 },
    { kind: 'comment', commentId: onPost, postId: null },
  ])
  const counted = db.selectFrom('videoDays').select('likes').where('likes', '<>', 0)
  expect(await counted.execute()).toEqual([{ likes: 1 }])
  const { id } = await db
    .insertInto('comments')
    .values({ postId: 4, userId: 1, content: 'New', createdAt: TIME })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(id).toBeGreaterThan(reply)
}
