import { type RawBuilder, sql } from 'kysely'
import { listOf } from '#server/platform/db/expressions.ts'
import type { IndexedVideo } from '../indexed-video.ts'
import type { Connection } from '../search-engine.ts'

const VIDEOS = sql.table('videoSearch')
const CHANNEL_ROWS = sql`SELECT "id", "displayName", "username" FROM "users"`
const COLUMNS = [
  'title',
  'tags',
  'description',
  'channel',
  'titleSigns',
  'signs',
  'category',
] as const

/** Writes videos into a full-text table; none of them may be there. */
export async function insertIndexedVideos(
  db: Connection,
  videos: IndexedVideo[],
  table: RawBuilder<unknown> = VIDEOS,
): Promise<void> {
  const columns = sql.join(COLUMNS.map((column) => sql.id(column)))
  const values = sql.join(COLUMNS.map((column) => sql`"value" ->> ${sql.lit(`$.${column}`)}`))
  await sql`
    INSERT INTO ${table} ("rowid", ${columns})
    SELECT "value" ->> '$.id', ${values} FROM json_each(${JSON.stringify(videos)})`.execute(db)
}

export async function deleteIndexedVideos(db: Connection, ids: number[]): Promise<void> {
  await sql`DELETE FROM "videoSearch" WHERE "rowid" IN ${listOf(ids)}`.execute(db)
}

/** Brings the index up to a channel's names, or to its end. */
export async function updateIndexedChannel(db: Connection, id: number): Promise<void> {
  await sql`DELETE FROM "channelSearch" WHERE "rowid" = ${id}`.execute(db)
  await sql`
    INSERT INTO "channelSearch" ("rowid", "displayName", "username")
    ${CHANNEL_ROWS} WHERE "id" = ${id}`.execute(db)
}

/** Writes the names of all channels into a full-text table, which must be empty. */
export async function insertIndexedChannels(
  db: Connection,
  table: RawBuilder<unknown> = sql.table('channelSearch'),
): Promise<void> {
  await sql`INSERT INTO ${table} ("rowid", "displayName", "username") ${CHANNEL_ROWS}`.execute(db)
}

/** Leaves nothing but the names of all channels. */
export async function resetIndexTables(db: Connection): Promise<void> {
  await sql`INSERT INTO "videoSearch" ("videoSearch") VALUES ('delete-all')`.execute(db)
  await sql`INSERT INTO "channelSearch" ("channelSearch") VALUES ('delete-all')`.execute(db)
  await insertIndexedChannels(db)
}

/** How a full-text index of the site is made, from USING on, for another like it. */
export async function readIndexOptions(
  db: Connection,
  table: 'videoSearch' | 'channelSearch',
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ sql: string }>`
    SELECT "sql" FROM "main"."sqlite_schema" WHERE "name" = ${table}`.execute(db)
  return sql.raw(rows[0]?.sql.replace(/^.*?(?=USING)/s, '') ?? '')
}
