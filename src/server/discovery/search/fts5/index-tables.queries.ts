import { type RawBuilder, sql } from 'kysely'
import { listOf } from '#server/platform/db/expressions.ts'
import type { IndexedVideo } from '../indexed-video.ts'
import type { Connection } from '../search-engine.ts'
import { indexWords } from '../text/words.ts'
import { spellWords } from './spelled-words.ts'

const VIDEOS = sql.table('videoSearch')
const CHANNELS = sql.table('channelSearch')
const CHANNELS_AT_A_TIME = 1000
const COLUMNS = [
  'title',
  'tags',
  'description',
  'channel',
  'titleSigns',
  'signs',
  'category',
] as const

export async function insertIndexedVideos(
  db: Connection,
  videos: IndexedVideo[],
  table: RawBuilder<unknown> = VIDEOS,
): Promise<void> {
  const columns = sql.join(COLUMNS.map((column) => sql.id(column)))
  const values = sql.join(COLUMNS.map((column) => sql`"value" ->> ${sql.lit(`$.${column}`)}`))
  const rows = videos.map((video) => ({
    ...{ id: video.id, title: spellWords(video.title), tags: spellWords(video.tags) },
    ...{ description: spellWords(video.description), channel: spellWords(video.channel) },
    ...{ titleSigns: video.titleSigns, signs: video.signs, category: video.category },
  }))
  await sql`
    INSERT INTO ${table} ("rowid", ${columns})
    SELECT "value" ->> '$.id', ${values} FROM json_each(${JSON.stringify(rows)})`.execute(db)
}

export async function deleteIndexedVideos(db: Connection, ids: number[]): Promise<void> {
  await sql`DELETE FROM "videoSearch" WHERE "rowid" IN ${listOf(ids)}`.execute(db)
}

export async function updateIndexedChannel(db: Connection, id: number): Promise<void> {
  await sql`DELETE FROM "channelSearch" WHERE "rowid" = ${id}`.execute(db)
  const channels = await selectChannels(db).where('id', '=', id).execute()
  await insertChannels(db, { channels, table: CHANNELS })
}

function selectChannels(db: Connection) {
  return db.selectFrom('users').select(['id', 'displayName', 'username'])
}

type Channel = { id: number; displayName: string; username: string }

async function insertChannels(
  db: Connection,
  { channels, table }: { channels: Channel[]; table: RawBuilder<unknown> },
): Promise<void> {
  const spell = (name: string) => spellWords(indexWords(name))
  const rows = channels.map(({ id, displayName, username }) => [
    id,
    spell(displayName),
    spell(username),
  ])
  await sql`
    INSERT INTO ${table} ("rowid", "displayName", "username")
    SELECT "value" ->> 0, "value" ->> 1, "value" ->> 2 FROM json_each(${JSON.stringify(rows)})`.execute(
    db,
  )
}

/** The table must be empty. */
export async function insertIndexedChannels(
  db: Connection,
  table: RawBuilder<unknown> = CHANNELS,
): Promise<void> {
  let afterId = 0
  for (;;) {
    const next = selectChannels(db).where('id', '>', afterId).orderBy('id')
    const channels = await next.limit(CHANNELS_AT_A_TIME).execute()
    await insertChannels(db, { channels, table })
    if (channels.length < CHANNELS_AT_A_TIME) return
    afterId = channels.at(-1)?.id ?? 0
  }
}

/** Keeps the names of channels. Nobody else writes, so the outbox is empty too. */
export async function resetIndexTables(db: Connection): Promise<void> {
  await db.deleteFrom('searchOutbox').execute()
  await sql`INSERT INTO "videoSearch" ("videoSearch") VALUES ('delete-all')`.execute(db)
  await sql`INSERT INTO "channelSearch" ("channelSearch") VALUES ('delete-all')`.execute(db)
  await insertIndexedChannels(db)
}

export async function readIndexOptions(
  db: Connection,
  table: 'videoSearch' | 'channelSearch',
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ sql: string }>`
    SELECT "sql" FROM "main"."sqlite_schema" WHERE "name" = ${table}`.execute(db)
  return sql.raw(rows[0]?.sql.replace(/^.*?(?=USING)/s, '') ?? '')
}
