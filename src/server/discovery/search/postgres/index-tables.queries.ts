import { type RawBuilder, sql } from 'kysely'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { IndexedVideo } from '../indexed-video.ts'
import type { Connection, SearchEngine } from '../search-engine.ts'
import { toNamesVector, toVectors } from './text-vectors.ts'

const CHANNELS_AT_A_TIME = 1000

export const tableOf: SearchEngine['tableOf'] = (rows, columns) => {
  const types = Object.entries<string>(columns).map(
    ([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`,
  )
  return sql`(
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS "row" (${sql.join(types)})
  )`
}

function vectorsOf(videos: IndexedVideo[]): RawBuilder<unknown> {
  const columns = { id: 'integer', title: 'text', names: 'text', text: 'text' } as const
  return sql`(
    SELECT "id" AS "videoId", "title"::tsvector AS "title", "names"::tsvector AS "names",
      "text"::tsvector AS "text"
    FROM ${tableOf(videos.map(toVectors), columns)} AS "made"
  )`
}

export async function insertIndexedVideos(db: Connection, videos: IndexedVideo[]): Promise<void> {
  await sql`
    INSERT INTO "videoSearch" ("videoId", "title", "names", "text")
    SELECT "videoId", "title", "names", "text" FROM ${vectorsOf(videos)} AS "indexed"`.execute(db)
}

export async function deleteIndexedVideos(db: Connection, ids: number[]): Promise<void> {
  await sql`DELETE FROM "videoSearch" WHERE "videoId" IN ${listOf(ids)}`.execute(db)
}

type Channel = { id: number; displayName: string; username: string }

function namesOf(channels: Channel[]): RawBuilder<unknown> {
  const rows = channels.map(({ id, ...names }) => ({ id, names: toNamesVector(names) }))
  return sql`(
    SELECT "id" AS "userId", "names"::tsvector AS "names"
    FROM ${tableOf(rows, { id: 'integer', names: 'text' })} AS "made"
  )`
}

async function insertIndexedChannels(db: Connection, channels: Channel[]): Promise<void> {
  await sql`
    INSERT INTO "channelSearch" ("userId", "names")
    SELECT "userId", "names" FROM ${namesOf(channels)} AS "indexed"`.execute(db)
}

export async function updateIndexedChannel(db: Connection, id: number): Promise<void> {
  await sql`DELETE FROM "channelSearch" WHERE "userId" = ${id}`.execute(db)
  await insertIndexedChannels(db, await selectChannels(db).where('id', '=', id).execute())
}

function selectChannels(db: Connection) {
  return db.selectFrom('users').select(['id', 'displayName', 'username'])
}

async function forAllChannels(
  db: Connection,
  work: (channels: Channel[]) => Promise<void>,
): Promise<void> {
  let afterId = 0
  for (;;) {
    const next = selectChannels(db).where('id', '>', afterId).orderBy('id')
    const channels = await next.limit(CHANNELS_AT_A_TIME).execute()
    await work(channels)
    if (channels.length < CHANNELS_AT_A_TIME) return
    afterId = channels.at(-1)?.id ?? 0
  }
}

/**
 * Keeps the names of channels. The outbox stays, as deleting its rows would block who changes a
 * video; those are indexed once more.
 */
export async function resetIndexTables(db: Connection): Promise<void> {
  await sql`DELETE FROM "videoSearch"`.execute(db)
  await sql`DELETE FROM "channelSearch"`.execute(db)
  await forAllChannels(db, (channels) => insertIndexedChannels(db, channels))
}

export const indexTablesAreWhole: SearchEngine['isWhole'] = async (db, addAll) => {
  const videos = { expected: 0, same: 0 }
  await addAll(async (some) => {
    videos.expected += some.length
    videos.same += await countRows(
      db,
      sql`"videoSearch" JOIN ${vectorsOf(some)} AS "made" USING ("videoId", "title", "names", "text")`,
    )
  })
  const channels = { expected: 0, same: 0 }
  await forAllChannels(db, async (some) => {
    channels.expected += some.length
    channels.same += await countRows(
      db,
      sql`"channelSearch" JOIN ${namesOf(some)} AS "made" USING ("userId", "names")`,
    )
  })
  return (
    videos.same === videos.expected &&
    channels.same === channels.expected &&
    videos.expected === (await countRows(db, sql`"videoSearch"`)) &&
    channels.expected === (await countRows(db, sql`"channelSearch"`))
  )
}

async function countRows(db: DatabaseTransaction, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS "count" FROM ${from}`.execute(db)
  return rows[0]?.count ?? 0
}
