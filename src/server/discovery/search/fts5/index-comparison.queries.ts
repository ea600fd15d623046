import { type RawBuilder, sql } from 'kysely'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { SearchEngine } from '../search-engine.ts'
import {
  insertIndexedChannels,
  insertIndexedVideos,
  readIndexOptions,
} from './index-tables.queries.ts'

export const indexTablesAreWhole: SearchEngine['isWhole'] = async (db, addAll) => {
  await sql`PRAGMA query_only = OFF`.execute(db)
  try {
    const videos = await isLike(db, 'videoSearch', (made) =>
      addAll((videos) => insertIndexedVideos(db, videos, made)),
    )
    return videos && (await isLike(db, 'channelSearch', (made) => insertIndexedChannels(db, made)))
  } finally {
    await sql`PRAGMA query_only = ON`.execute(db)
  }
}

type Indexed = 'videoSearch' | 'channelSearch'

async function isLike(
  db: DatabaseTransaction,
  table: Indexed,
  fill: (made: RawBuilder<unknown>) => Promise<void>,
): Promise<boolean> {
  const made = sql.table('temp.madeSearch')
  await sql`CREATE VIRTUAL TABLE ${made} ${await readIndexOptions(db, table)}`.execute(db)
  try {
    await fill(made)
    return await areSame(db, table, made)
  } finally {
    await sql`DROP TABLE ${made}`.execute(db)
  }
}

async function areSame(
  db: DatabaseTransaction,
  table: Indexed,
  made: RawBuilder<unknown>,
): Promise<boolean> {
  const vocabularies = [
    sql`CREATE VIRTUAL TABLE "temp"."madeWords" USING "fts5vocab" ("temp", "madeSearch", "col")`,
    sql`CREATE VIRTUAL TABLE "temp"."foundWords" USING "fts5vocab" ("main", ${sql.id(table)}, "col")`,
  ]
  try {
    for (const vocabulary of vocabularies) await vocabulary.execute(db)
    const rows = {
      one: sql`SELECT "rowid" FROM "main".${sql.id(table)}`,
      other: sql`SELECT "rowid" FROM ${made}`,
    }
    const words = {
      one: sql`SELECT * FROM "temp"."foundWords"`,
      other: sql`SELECT * FROM "temp"."madeWords"`,
    }
    return (await haveSame(db, rows)) && (await haveSame(db, words))
  } finally {
    for (const name of ['foundWords', 'madeWords']) {
      await sql`DROP TABLE IF EXISTS ${sql.table(`temp.${name}`)}`.execute(db)
    }
  }
}

async function haveSame(
  db: DatabaseTransaction,
  { one, other }: { one: RawBuilder<unknown>; other: RawBuilder<unknown> },
): Promise<boolean> {
  const { rows } = await sql`
    WITH "one" AS MATERIALIZED (${one}), "other" AS MATERIALIZED (${other})
    SELECT 1 FROM (
      SELECT * FROM (SELECT * FROM "one" EXCEPT SELECT * FROM "other")
      UNION ALL SELECT * FROM (SELECT * FROM "other" EXCEPT SELECT * FROM "one")
    ) LIMIT 1`.execute(db)
  return rows.length === 0
}
