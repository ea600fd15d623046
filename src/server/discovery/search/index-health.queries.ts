import { type RawBuilder, sql } from 'kysely'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { addToCounts, createTally, insertCounted, isStored, toRow } from './index-counts.queries.ts'
import { insertIndexedVideos, listNextToIndex, noteIndexChange } from './index-rows.queries.ts'
import type { IndexedVideo } from './indexed-video.ts'
import { listWaiting } from './outbox.queries.ts'

const VIDEOS_AT_A_TIME = 1000
const CHANNEL_ROWS = sql`SELECT "id", "displayName", "username" FROM "users"`

/** Rebuilds the whole index from the videos and members: some 5 s for 100,000 videos. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(transaction)
    for (const table of ['searchOutbox', 'searchedVideos', 'searchTerms', 'searchTags']) {
      await run(sql`DELETE FROM ${sql.table(table)}`)
    }
    await run(sql`INSERT INTO "videoSearch" ("videoSearch") VALUES ('delete-all')`)
    await run(sql`INSERT INTO "channelSearch" ("channelSearch") VALUES ('delete-all')`)
    await run(sql`INSERT INTO "channelSearch" ("rowid", "displayName", "username") ${CHANNEL_ROWS}`)
    const tally = await forAllVideos(transaction, async (videos) => {
      await insertIndexedVideos(transaction, videos)
      await insertCounted(transaction, videos)
    })
    await addToCounts(transaction, tally)
    await noteIndexChange(transaction)
  })
}

/** @returns how many videos have each word and tag */
async function forAllVideos(
  db: DatabaseTransaction,
  work: (videos: IndexedVideo[]) => Promise<void>,
): Promise<ReturnType<typeof createTally>> {
  const tally = createTally()
  let afterId = 0
  for (;;) {
    const videos = await listNextToIndex(db, { afterId, limit: VIDEOS_AT_A_TIME })
    await work(videos)
    for (const video of videos) tally.add(video, 1)
    if (videos.length < VIDEOS_AT_A_TIME) return tally
    afterId = videos.at(-1)?.id ?? 0
  }
}

/**
 * Compares the index with one that is made for this from the videos and members, in a temporary
 * database: nothing of the site is changed.
 * @param db a connection that only reads, and that nobody else uses meanwhile
 * @returns whether they agree in every word, video and channel, or changes wait to be indexed
 */
export async function indexIsWhole(db: Database): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if ((await listWaiting(transaction, 1)).length > 0) return true
    // What is written here is temporary.
    await sql`PRAGMA query_only = OFF`.execute(transaction)
    try {
      return (await videosAreWhole(transaction)) && (await channelsAreWhole(transaction))
    } finally {
      await sql`PRAGMA query_only = ON`.execute(transaction)
    }
  })
}

async function videosAreWhole(db: DatabaseTransaction): Promise<boolean> {
  return withMade(db, 'videoSearch', async (made) => {
    let wereCounted = true
    const tally = await forAllVideos(db, async (videos) => {
      await insertIndexedVideos(db, videos, made)
      wereCounted &&= await areCounted(db, videos)
    })
    const known = await db.selectFrom('searchedVideos').select('videoId').execute()
    const rows = await sql`SELECT "rowid" FROM ${made}`.execute(db)
    const all = known.length === rows.rows.length
    return wereCounted && all && (await isStored(db, tally)) && areSame(db, 'videoSearch', made)
  })
}

async function areCounted(db: DatabaseTransaction, videos: IndexedVideo[]): Promise<boolean> {
  const [first, last] = [videos[0], videos.at(-1)]
  if (!first || !last) return true
  const rows = await db
    .selectFrom('searchedVideos')
    .selectAll()
    .where('videoId', '>=', first.id)
    .where('videoId', '<=', last.id)
    .execute()
  const counted = new Map(rows.map((row) => [row.videoId, row]))
  return videos.every((video) => {
    const [found, expected] = [counted.get(video.id), toRow(video)]
    return (
      found?.words === expected.words &&
      found.tags === expected.tags &&
      found.visibility === expected.visibility
    )
  })
}

async function channelsAreWhole(db: DatabaseTransaction): Promise<boolean> {
  return withMade(db, 'channelSearch', async (made) => {
    await sql`
      INSERT INTO ${made} ("rowid", "displayName", "username") ${CHANNEL_ROWS}`.execute(db)
    return areSame(db, 'channelSearch', made)
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

type Indexed = 'videoSearch' | 'channelSearch'

/** A table like one of the index, for as long as `work` takes. */
async function withMade<Result>(
  db: DatabaseTransaction,
  table: Indexed,
  work: (made: RawBuilder<unknown>) => Promise<Result>,
): Promise<Result> {
  const made = sql.table('temp.madeSearch')
  await sql`CREATE VIRTUAL TABLE ${made} ${await readIndexOptions(db, table)}`.execute(db)
  try {
    return await work(made)
  } finally {
    await sql`DROP TABLE ${made}`.execute(db)
  }
}

/** Whether both tables have the same rows and words. */
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
