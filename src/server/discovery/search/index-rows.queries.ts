import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import { foldText } from '#server/platform/db/words.ts'
import { isPublicVideo } from '#server/video/video/video.access.ts'
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

/** How those of the videos that are public are to stand in the index. */
export async function listVideosToIndex(db: Connection, ids: number[]): Promise<IndexedVideo[]> {
  const rows = await selectText(db).where('videos.id', 'in', listOf(ids)).execute()
  return rows.map(toIndexedVideo)
}

/** The next public videos after an id, as they are to stand in the index. */
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
    .select(['displayName', 'username'])
    .where(isPublicVideo)
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
  const known = await db
    .selectFrom('searchedVideos')
    .select(['videoId', 'words'])
    .where('videoId', 'in', listOf(ids))
    .execute()
  const gone = listOf(known.map(({ videoId }) => videoId))
  await sql`DELETE FROM "videoSearch" WHERE "rowid" IN ${gone}`.execute(db)
  await sql`DELETE FROM "searchedVideos" WHERE "videoId" IN ${gone}`.execute(db)
  await insertIndexedVideos(db, videos)
  await insertWords(db, videos)
  await countWords(db, {
    before: known.map(({ words }) => words.split(' ')),
    after: wordsOf(videos),
  })
  await foldTitles(db, ids)
}

const wordsOf = (videos: IndexedVideo[]) => videos.map(({ words }) => words)

/** Says which words were counted of each. */
export async function insertWords(db: DatabaseTransaction, videos: IndexedVideo[]): Promise<void> {
  const rows = videos.map(({ id, words }) => [id, words.join(' ')])
  await sql`
    INSERT INTO "searchedVideos" ("videoId", "words")
    SELECT "value" ->> 0, "value" ->> 1 FROM json_each(${JSON.stringify(rows)})`.execute(db)
}

async function countWords(
  db: DatabaseTransaction,
  { before, after }: { before: string[][]; after: string[][] },
): Promise<void> {
  const changes = new Map<string, number>()
  const add = (word: string, count: number) => changes.set(word, (changes.get(word) ?? 0) + count)
  for (const words of before) for (const word of words) add(word, -1)
  for (const words of after) for (const word of words) add(word, 1)
  const changed = [...changes].filter(([word, count]) => word !== '' && count !== 0)
  await addToTerms(db, changed)
  const fewer = changed.filter(([, count]) => count < 0).map(([word]) => word)
  await sql`
    DELETE FROM "searchTerms" WHERE "term" IN ${listOf(fewer)} AND "videoCount" <= 0`.execute(db)
}

/** Adds to the number of videos that have each word. */
export async function addToTerms(
  db: DatabaseTransaction,
  changes: [word: string, count: number][],
): Promise<void> {
  await sql`
    INSERT INTO "searchTerms" ("term", "videoCount")
    SELECT "value" ->> 0, "value" ->> 1 FROM json_each(${JSON.stringify(changes)}) WHERE TRUE
    ON CONFLICT ("term") DO UPDATE SET
      "videoCount" = "searchTerms"."videoCount" + "excluded"."videoCount"`.execute(db)
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
