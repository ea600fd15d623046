import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../db/database.ts'
import {
  channelColumns,
  channelRows,
  countedWords,
  videoColumns,
  videoRows,
} from './indexed-rows.ts'

/** Makes the whole index anew from the videos and members: some 10 s for 100,000 videos. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(transaction)
    await run(sql`DELETE FROM "channelRenames"`)
    await run(sql`INSERT INTO "videoSearch" ("videoSearch") VALUES ('delete-all')`)
    await run(sql`INSERT INTO "videoSearch" (${videoColumns}) ${videoRows}`)
    await run(sql`INSERT INTO "channelSearch" ("channelSearch") VALUES ('delete-all')`)
    await run(sql`INSERT INTO "channelSearch" (${channelColumns}) ${channelRows}`)
    await run(sql`DELETE FROM "searchTerms"`)
    await run(sql`INSERT INTO "searchTerms" ("term", "videoCount") ${countedWords}`)
    await run(sql`UPDATE "searchState" SET "changes" = "changes" + 1`)
  })
}

/**
 * Compares the index with one that is made for this from the videos and members, in a temporary
 * database: nothing of the site is changed.
 * @param db a connection that only reads, and that nobody else uses meanwhile
 * @returns whether they agree in every word, video and channel
 */
export async function indexIsWhole(db: Database): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // What is written here is temporary.
    await sql`PRAGMA query_only = OFF`.execute(transaction)
    try {
      return (
        (await areSame(
          transaction,
          sql`SELECT "term", "videoCount" FROM "searchTerms"`,
          countedWords,
        )) &&
        (await isLikeMade(transaction, 'videoSearch', {
          columns: videoColumns,
          rows: videoRows,
        })) &&
        (await isLikeMade(transaction, 'channelSearch', {
          columns: channelColumns,
          rows: channelRows,
        }))
      )
    } finally {
      await sql`PRAGMA query_only = ON`.execute(transaction)
    }
  })
}

/** How a full-text index of the site is made, from USING on, for another like it. */
export async function readIndexOptions(
  db: Database | DatabaseTransaction,
  table: 'videoSearch' | 'channelSearch',
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ sql: string }>`
    SELECT "sql" FROM "main"."sqlite_schema" WHERE "name" = ${table}`.execute(db)
  return sql.raw(rows[0]?.sql.replace(/^.*?(?=USING)/s, '') ?? '')
}

type Made = { columns: RawBuilder<unknown>; rows: RawBuilder<unknown> }

async function isLikeMade(
  db: DatabaseTransaction,
  table: 'videoSearch' | 'channelSearch',
  { columns, rows }: Made,
): Promise<boolean> {
  const made = sql.table('temp.madeSearch')
  const using = await readIndexOptions(db, table)
  const vocabularies = [
    sql`CREATE VIRTUAL TABLE temp.madeWords USING fts5vocab (temp, madeSearch, col)`,
    sql`CREATE VIRTUAL TABLE temp.foundWords USING fts5vocab (main, ${sql.id(table)}, col)`,
  ]
  await sql`CREATE VIRTUAL TABLE ${made} ${using}`.execute(db)
  try {
    for (const vocabulary of vocabularies) await vocabulary.execute(db)
    await sql`INSERT INTO ${made} (${columns}) ${rows}`.execute(db)
    return (
      (await areSame(
        db,
        sql`SELECT "rowid" FROM "main".${sql.id(table)}`,
        sql`SELECT "rowid" FROM ${made}`,
      )) &&
      (await areSame(
        db,
        sql`SELECT * FROM "temp"."foundWords"`,
        sql`SELECT * FROM "temp"."madeWords"`,
      ))
    )
  } finally {
    for (const name of ['foundWords', 'madeWords', 'madeSearch']) {
      await sql`DROP TABLE IF EXISTS ${sql.table(`temp.${name}`)}`.execute(db)
    }
  }
}

async function areSame(
  db: DatabaseTransaction,
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql`
    WITH "one" AS MATERIALIZED (${one}), "other" AS MATERIALIZED (${other})
    SELECT 1 FROM (
      SELECT * FROM (SELECT * FROM "one" EXCEPT SELECT * FROM "other")
      UNION ALL SELECT * FROM (SELECT * FROM "other" EXCEPT SELECT * FROM "one")
    ) LIMIT 1`.execute(db)
  return rows.length === 0
}
