import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import { foldText } from '#server/platform/db/words.ts'
import { isListedFor } from '#server/video/video/video.access.ts'
import { addToCounts, createTally, deleteCounted, insertCounted } from './index-counts.queries.ts'
import { type IndexedVideo, toIndexedVideo } from './indexed-video.ts'

type Connection = Database | DatabaseTransaction
type FullTextTable = RawBuilder<unknown>

const VIDEOS = sql.table('videoSearch')
const COLUMNS = [
  'title',
  'tags',
  'description',
  'channel',
  'titleSigns',
  'signs',
  'category',
] as const

/** How those of the videos that everybody or members find are to stand in the index. */
export async function listVideosToIndex(db: Connection, ids: number[]): Promise<IndexedVideo[]> {
  const rows = await selectText(db).where('videos.id', 'in', listOf(ids)).execute()
  return rows.map(toIndexedVideo)
}

/** The next of them all after an id, as they are to stand in the index. */
export async function listNextToIndex(
  db: Connection,
  input: { afterId: number; limit: number },
): Promise<IndexedVideo[]> {
  const { afterId, limit } = input
  const rows = await selectText(db)
    .where('videos.id', '>', afterId)
    .orderBy('videos.id')
    .limit(limit)
    .execute()
  return rows.map(toIndexedVideo)
}

function selectText(db: Connection) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'title', 'tags', 'description', 'category', 'isAnonymous'])
    .select(['displayName', 'username', 'videos.visibility'])
    .select(
      sql<string>`(
        SELECT json_group_array("tag") FROM (
          SELECT "tag" FROM "videoTags" WHERE "videoId" = "videos"."id" ORDER BY "tag"
        )
      )`.as('tagNames'),
    )
    .where(isListedFor('members'))
}

/** Writes videos into a full-text table; none of them may be there. */
export async function insertIndexedVideos(
  db: Connection,
  videos: IndexedVideo[],
  table: FullTextTable = VIDEOS,
): Promise<void> {
  const columns = sql.join(COLUMNS.map((column) => sql.id(column)))
  const values = sql.join(COLUMNS.map((column) => sql`"value" ->> ${sql.lit(`$.${column}`)}`))
  await sql`
    INSERT INTO ${table} ("rowid", ${columns})
    SELECT "value" ->> '$.id', ${values} FROM json_each(${JSON.stringify(videos)})`.execute(db)
}

/** Brings the index up to what these videos are now: changed, hidden, or gone. */
export async function indexVideos(db: DatabaseTransaction, ids: number[]): Promise<void> {
  const videos = await listVideosToIndex(db, ids)
  const before = await deleteCounted(db, ids)
  await sql`DELETE FROM "videoSearch" WHERE "rowid" IN ${listOf(before.ids)}`.execute(db)
  await insertIndexedVideos(db, videos)
  await insertCounted(db, videos)
  const tally = createTally()
  for (const counted of before.counted) tally.add(counted, -1)
  for (const video of videos) tally.add(video, 1)
  await addToCounts(db, tally)
  await foldTitles(db, ids)
}

/** Titles that another program wrote are not folded yet. */
async function foldTitles(db: DatabaseTransaction, ids: number[]): Promise<void> {
  const titles = await db
    .selectFrom('videos')
    .select(['id', 'title', 'foldedTitle'])
    .where('id', 'in', listOf(ids))
    .execute()
  for (const { id, title, foldedTitle } of titles) {
    const folded = foldText(title)
    if (folded === foldedTitle) continue
    await db.updateTable('videos').set({ foldedTitle: folded }).where('id', '=', id).execute()
  }
}

/** Brings the index up to a channel's names, or to its end. */
export async function indexChannel(db: DatabaseTransaction, id: number): Promise<void> {
  await sql`DELETE FROM "channelSearch" WHERE "rowid" = ${id}`.execute(db)
  await sql`
    INSERT INTO "channelSearch" ("rowid", "displayName", "username")
    SELECT "id", "displayName", "username" FROM "users" WHERE "id" = ${id}`.execute(db)
}

/** Invalidates what readers have cached of the index. */
export async function noteIndexChange(db: DatabaseTransaction): Promise<void> {
  await sql`UPDATE "searchState" SET "changes" = "changes" + 1`.execute(db)
}
