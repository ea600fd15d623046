import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../db/database.ts'
import { isPublicVideo } from '../video/video.access.ts'

/** What the triggers write for a video; an anonymous one has no channel. */
const tags = sql`(SELECT group_concat(value, char(10)) FROM json_each(videos.tags))`
const indexedColumns = sql`rowid, title, tags, description, channel, titleSigns, signs, category`
const indexedRows = sql`
  SELECT videos.id, videos.title, ${tags}, videos.description,
    iif(videos.isAnonymous, NULL, users.displayName || char(10) || users.username),
    spellSigns(videos.title),
    spellSigns(concat_ws(char(10), ${tags}, videos.description,
      iif(videos.isAnonymous, NULL, users.displayName))),
    char(57345) || hex(videos.category)
  FROM videos JOIN users ON users.id = videos.userId
  WHERE ${isPublicVideo}`

const countedWords: RawBuilder<{ term: string; videoCount: number }> = sql`
  SELECT value ->> 0 AS term, count(*) AS videoCount
  FROM videos JOIN users ON users.id = videos.userId, json_each(wordChanges(NULL,
    concat_ws(char(10), videos.title, ${tags}, videos.description,
      iif(videos.isAnonymous, NULL, users.displayName || char(10) || users.username))))
  WHERE ${isPublicVideo} GROUP BY 1`

const channelColumns = sql`rowid, displayName, username`
const channelRows = sql`SELECT id, displayName, username FROM users`

/** Makes the whole index anew from the videos and members: some 10 s for 100,000 videos. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(transaction)
    await run(sql`INSERT INTO videoSearch (videoSearch) VALUES ('delete-all')`)
    await run(sql`INSERT INTO videoSearch (${indexedColumns}) ${indexedRows}`)
    await run(sql`INSERT INTO channelSearch (channelSearch) VALUES ('delete-all')`)
    await run(sql`INSERT INTO channelSearch (${channelColumns}) ${channelRows}`)
    await run(sql`DELETE FROM searchTerms`)
    await run(sql`INSERT INTO searchTerms (term, videoCount) ${countedWords}`)
    await run(sql`UPDATE searchState SET changes = changes + 1`)
  })
}

/**
 * Compares the index with one that is made for this from the videos and members, in a temporary
 * database: neither is changed.
 * @param db a connection that only reads, and that nobody else uses meanwhile
 * @returns how many words, videos and channels the index has wrong
 */
export async function countIndexErrors(db: Database): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // The one thing that is written here is temporary.
    await sql`PRAGMA query_only = OFF`.execute(transaction)
    try {
      return await compare(transaction)
    } finally {
      await sql`PRAGMA query_only = ON`.execute(transaction)
    }
  })
}

async function compare(db: DatabaseTransaction): Promise<number> {
  const fts = [
    { table: 'videoSearch', columns: indexedColumns, rows: indexedRows },
    { table: 'channelSearch', columns: channelColumns, rows: channelRows },
  ]
  let errors = await countDifferences(db, [
    sql`SELECT term, videoCount FROM searchTerms`,
    countedWords,
  ])
  for (const { table, columns, rows } of fts) {
    const made = sql.id('temp', `made_${table}`)
    await makeLike(db, { table, made: `made_${table}` })
    await sql`INSERT INTO ${made} (${columns}) ${rows}`.execute(db)
    errors += await countDifferences(db, [
      sql`SELECT rowid FROM main.${sql.id(table)}`,
      sql`SELECT rowid FROM ${made}`,
    ])
    errors += await countDifferences(db, [
      sql`SELECT term, col, doc, cnt FROM temp.${sql.id(`words_${table}`)}`,
      sql`SELECT term, col, doc, cnt FROM temp.${sql.id(`words_made_${table}`)}`,
    ])
  }
  return errors
}

/** A temporary, empty index of the same make, and views of the words of both. */
async function makeLike(
  db: DatabaseTransaction,
  { table, made }: { table: string; made: string },
): Promise<void> {
  const { rows } = await sql<{ sql: string }>`
    SELECT sql FROM main.sqlite_schema WHERE name = ${table}`.execute(db)
  const options = rows[0]?.sql.slice(rows[0].sql.indexOf('USING')) ?? ''
  await sql`CREATE VIRTUAL TABLE temp.${sql.id(made)} ${sql.raw(options)}`.execute(db)
  for (const [schema, name] of [
    ['main', table],
    ['temp', made],
  ] as const) {
    await sql`
      CREATE VIRTUAL TABLE temp.${sql.id(`words_${name}`)}
      USING fts5vocab (${sql.id(schema)}, ${sql.id(name)}, col)`.execute(db)
  }
}

async function countDifferences(
  db: DatabaseTransaction,
  [one, other]: [RawBuilder<unknown>, RawBuilder<unknown>],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH one AS MATERIALIZED (${one}), other AS MATERIALIZED (${other})
    SELECT count(*) AS count FROM (
      SELECT * FROM (SELECT * FROM one EXCEPT SELECT * FROM other)
      UNION ALL SELECT * FROM (SELECT * FROM other EXCEPT SELECT * FROM one)
    )`.execute(db)
  return rows[0]?.count ?? 0
}
