import { type RawBuilder, sql } from 'kysely'
import type { Category } from '#shared/limits.ts'
import type { SearchSort } from '#shared/search.schemas.ts'
import type { Database } from '../db/database.ts'
import { isPublicVideo } from '../video/video.access.ts'

const TITLES_READ_MAX = 20_000
/** Above every letter and digit, so that `word` to `word` + this spans all that begin with it. */
const LAST_CHARACTER = '\u{10ffff}'

/** Whether any indexed word begins with `word`. */
export async function hasWordLike(db: Database, word: string): Promise<boolean> {
  const row = await db
    .selectFrom('videoTerms')
    .select('term')
    .where('term', '>=', word)
    .where('term', '<', word + LAST_CHARACTER)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether any video matches; for words that the index splits or folds in a way of its own. */
export async function hasMatch(db: Database, match: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM videoSearch WHERE videoSearch MATCH ${match} LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Which of `words` are indexed, the most frequent first. */
export async function listKnownWords(db: Database, words: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('videoTerms')
    .select(['term', 'doc'])
    .where('term', 'in', sql<string>`(SELECT value FROM json_each(${JSON.stringify(words)}))`)
    .execute()
  return rows.sort((a, b) => b.doc - a.doc).map((row) => row.term)
}

type Candidates = { match: string; category: Category | undefined; limit: number }

/** The newest matches, without ranking them: its cost is bounded by `limit`, not by how many match. */
export async function listNewestMatches(db: Database, input: Candidates): Promise<number[]> {
  const { match, category, limit } = input
  const rows = await sql<{ id: number }>`
    SELECT videoSearch.rowid AS id FROM videoSearch
    WHERE videoSearch MATCH ${within(match, category)}
    ORDER BY videoSearch.rowid DESC LIMIT ${limit}`.execute(db)
  return rows.rows.map((row) => row.id)
}

/** The best matches: a word in the title weighs most, then tags, channel and description. */
export async function listBestMatches(db: Database, input: Candidates): Promise<number[]> {
  const { match, category, limit } = input
  const rows = await sql<{ id: number }>`
    SELECT videoSearch.rowid AS id FROM videoSearch
    WHERE videoSearch MATCH ${within(match, category)}
    ORDER BY bm25(videoSearch, 10.0, 4.0, 1.0, 3.0), videoSearch.rowid DESC
    LIMIT ${limit}`.execute(db)
  return rows.rows.map((row) => row.id)
}

/** Public videos with `text` in the title as it is, the newest first: for signs that are no words. */
export async function listTitlesContaining(
  db: Database,
  input: { text: string; category: Category | undefined; limit: number },
): Promise<number[]> {
  const inCategory = input.category ? sql`AND videos.category = ${input.category}` : sql``
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (
      SELECT id, title FROM videos WHERE ${isPublicVideo} ${inCategory}
      ORDER BY publishedAt DESC, id DESC LIMIT ${TITLES_READ_MAX}
    ) WHERE instr(title, ${input.text}) > 0 LIMIT ${input.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Orders videos by the day they were published, or by their views. */
export async function sortVideoIds(
  db: Database,
  input: { ids: number[]; sort: Exclude<SearchSort, 'relevance'> },
): Promise<number[]> {
  const order: Record<typeof input.sort, RawBuilder<unknown>> = {
    date: sql`publishedAt DESC, id DESC`,
    views: sql`viewCount DESC, id DESC`,
  }
  const rows = await sql<{ id: number }>`
    SELECT id FROM videos WHERE id IN (SELECT value FROM json_each(${JSON.stringify(input.ids)}))
    ORDER BY ${order[input.sort]}`.execute(db)
  return rows.rows.map((row) => row.id)
}

/** Writes the whole index anew from the videos. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`INSERT INTO videoSearch (videoSearch) VALUES ('delete-all')`.execute(transaction)
    await sql`
      INSERT INTO videoSearch (rowid, title, tags, description, channel, category)
      SELECT videos.id, videos.title,
        (SELECT group_concat(value, ' ') FROM json_each(videos.tags)),
        videos.description,
        iif(videos.isAnonymous, '', users.displayName || ' ' || users.username),
        videos.category
      FROM videos JOIN users ON users.id = videos.userId
      WHERE videos.processingState = 'ready' AND videos.contentApproved = 1
    `.execute(transaction)
  })
}

function within(match: string, category: Category | undefined): string {
  return category ? `(${match}) AND {category} : "${category}"` : match
}
