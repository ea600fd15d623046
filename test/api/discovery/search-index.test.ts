import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mergeIndexParts } from '#server/discovery/search/fts5/index-merge.queries.ts'
import { indexIsWhole, rebuildSearchIndex } from '#server/discovery/search/index-health.queries.ts'
import {
  INDEXED_AT_A_TIME,
  indexNext,
  indexWaiting,
  renewWords,
  startIndexing,
  tidySearchIndex,
} from '#server/discovery/search/index-upkeep.service.ts'
import type { Database } from '#server/platform/db/database.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { isOnPostgres, openSiteDatabaseToRead } from '#test/support/site-database.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

const COUNT = INDEXED_AT_A_TIME * 3 + 5

let site: TestSite
let carl: TestMember
/** Reads what is committed, as the doctor does. */
let reader: Database
let ids: number[] = []
beforeAll(async () => {
  site = await openTestSite({ rateLimitScale: 1_000_000 })
  reader = openSiteDatabaseToRead(site.dataFolder)
  carl = await site.addMember('carl')
})
afterAll(async () => {
  await reader.destroy()
  await site.close()
})

beforeEach(async () => {
  await site.db.deleteFrom('videos').execute()
  await setName('Old Name')
  ids = []
  for (let at = 0; at < COUNT; at++) ids.push(await site.addVideo(carl, { title: `Bilby ${at}` }))
  await site.index()
})

async function setName(displayName: string): Promise<void> {
  await site.db.updateTable('users').set({ displayName }).where('id', '=', carl.id).execute()
}

const KEY = isOnPostgres
  ? { video: 'videoId', channel: 'userId' }
  : { video: 'rowid', channel: 'rowid' }

/** What the index has now, whatever waits to be indexed. */
async function foundNow(word: string): Promise<number> {
  const isFound = isOnPostgres ? sql`"text" @@ ${word}::tsquery` : sql`"videoSearch" MATCH ${word}`
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS "count" FROM "videoSearch" WHERE ${isFound}`.execute(site.db)
  return rows[0]?.count ?? 0
}

async function foundBy(q: string): Promise<number> {
  return (await answerOf<{ total: number }>(site, { name: 'search.videos', input: { q } })).total
}

async function suggestedBy(q: string): Promise<string[]> {
  const found = await answerOf<{ text: string }[]>(site, { name: 'search.suggest', input: { q } })
  return found.map(({ text }) => text)
}

const waiting = async () => site.db.selectFrom('searchOutbox').selectAll().execute()

async function expectWhole(): Promise<void> {
  await site.index()
  expect(await waiting()).toEqual([])
  expect(await indexIsWhole(reader)).toBe(true)
}

/** Another program that knows nothing of the site. */
async function asAnotherProgram(...statements: string[]): Promise<void> {
  if (isOnPostgres) {
    for (const statement of statements) await sql.raw(statement).execute(reader)
    return
  }
  const sqlite = new Sqlite(join(site.dataFolder, 'clutch.db'))
  sqlite.pragma('foreign_keys = ON')
  try {
    for (const statement of statements) sqlite.exec(statement)
  } finally {
    sqlite.close()
  }
}

test('any program may change videos and members, and the index follows', async () => {
  const [first, second, third] = ids
  await asAnotherProgram(
    `UPDATE "videos" SET "title" = 'Žebra', "tags" = '["Stripes"]' WHERE "id" = ${first}`,
    `UPDATE "videos" SET "contentApproved" = 0 WHERE "id" = ${second}`,
    `DELETE FROM "videos" WHERE "id" = ${third}`,
    `UPDATE "users" SET "displayName" = 'Numbat' WHERE "id" = ${carl.id}`,
    `INSERT INTO "videos" ("userId", "mediaKey", "title", "publishedAt", "processingState")
     VALUES (${carl.id}, 'a key', 'Wombat 1', '2026-01-01T00:00:00.000Z', 'ready')`,
  )
  await expectWhole()
  expect(await foundBy('zebra')).toBe(1)
  expect(await foundBy('stripes')).toBe(1)
  expect(await foundBy('wombat')).toBe(1)
  expect(await foundBy('bilby')).toBe(COUNT - 3)
  expect(await foundBy('numbat')).toBe(COUNT - 1)
  const list = await answerOf<{ items: { id: number }[] }>(site, {
    as: carl,
    name: 'video.listByUser',
    input: { id: carl.id, q: 'zebra' },
  })
  expect(list.items.map(({ id }) => id)).toEqual([first])
  await asAnotherProgram(`DELETE FROM "users" WHERE "id" = ${carl.id}`)
  await expectWhole()
  expect(await foundNow('numbat')).toBe(0)
  carl = await site.addMember('carl')
})

test('nothing in the database calls a function of ours', async () => {
  const texts = isOnPostgres
    ? sql<{
        text: string
      }>`SELECT "prosrc" AS "text" FROM "pg_proc" UNION ALL SELECT pg_get_triggerdef("oid") FROM "pg_trigger"`
    : sql<{ text: string }>`SELECT "sql" AS "text" FROM "sqlite_schema" WHERE "sql" IS NOT NULL`
  const { rows } = await texts.execute(reader)
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ text }) => /\bfoldText\b|spellSigns|wordChanges/.test(text))).toEqual([])
})

test('a running server looks for what changed by itself', async () => {
  const closing = new AbortController()
  const stop = startIndexing({ db: site.db, closing: closing.signal, log: site.log })
  await asAnotherProgram(`UPDATE "videos" SET "title" = 'Quokka' WHERE "id" = ${ids[0]}`)
  await until(async () => (await foundNow('quokka')) === 1)
  await stop()
  await setName('New Name')
  await setImmediate()
  expect(await waiting()).toHaveLength(1)
})

test('a new name reaches some videos at a time', async () => {
  await setName('New Name')
  const counts = [COUNT]
  while (await indexNext(site.db)) counts.push(await foundNow('old'))
  const steps = [0, 1, 2, 3].map((step) => COUNT - step * INDEXED_AT_A_TIME)
  expect(counts).toEqual([...steps, 0])
  expect(await foundNow('new')).toBe(COUNT)
  await expectWhole()
})

test('a name that is changed again meanwhile reaches all from the first on', async () => {
  await setName('New Name')
  await indexNext(site.db)
  await setName('Newest Name')
  await expectWhole()
  expect([await foundNow('new'), await foundNow('newest')]).toEqual([0, COUNT])
})

test('videos added, edited, hidden and deleted meanwhile are counted as they are', async () => {
  await setName('New Name')
  await indexNext(site.db)
  const [first = 0, second = 0] = ids
  const [last = 0, beforeLast = 0, hidden = 0] = ids.toReversed()
  const edit = (id: number, change: object) =>
    answerOf(site, { as: carl, name: 'video.edit', input: { id, ...change } })
  await edit(first, { title: 'Wombat' })
  await edit(last, { title: 'Wombat' })
  await edit(hidden, { isAnonymous: true })
  for (const id of [second, beforeLast])
    await answerOf(site, { as: carl, name: 'video.delete', input: { id } })
  await site.addVideo(carl, { title: 'Wombat' })
  await expectWhole()
  expect(await foundBy('wombat')).toBe(3)
  expect([await foundNow('old'), await foundNow('new')]).toEqual([0, COUNT - 2])
})

test('the channel itself is found by its new name', async () => {
  await setName('Numbat Name')
  const suggestions = await answerOf<{ kind: string }[]>(site, {
    name: 'search.suggest',
    input: { q: 'numbat' },
  })
  expect(JSON.stringify(suggestions)).toContain('Numbat Name')
})

test('a channel that is deleted meanwhile leaves nothing behind', async () => {
  const dora = await site.addMember('dora')
  await site.addVideo(dora, { title: 'Quokka' })
  await site.index()
  const rename = { displayName: 'Renamed' }
  await site.db.updateTable('users').set(rename).where('id', '=', dora.id).execute()
  await site.db.deleteFrom('users').where('id', '=', dora.id).execute()
  await expectWhole()
  expect(await foundNow('quokka')).toBe(0)
})

test('others have their turn meanwhile, and a stopped server goes on where it ended', async () => {
  await setName('New Name')
  const closing = new AbortController()
  const ended = indexWaiting({ db: site.db, closing: closing.signal })
  await setImmediate()
  closing.abort()
  await ended
  expect((await waiting())[0]?.reachedId).toBeGreaterThan(0)
  expect(await foundNow('old')).toBeGreaterThan(0)
  await expectWhole()
  expect([await foundNow('old'), await foundNow('new')]).toEqual([0, COUNT])
})

test('who changes the name is answered before all videos have it', async () => {
  const input = { displayName: 'New Name' }
  await answerOf(site, { as: carl, name: 'settings.editProfile', input })
  expect(await waiting()).toEqual([{ kind: 'channel', id: carl.id, reachedId: 0 }])
  expect(await foundBy('new')).toBe(COUNT)
})

/** A title as versions before had it: split by the engine, letters as they were. */
async function indexAsBefore(id: number, title: string): Promise<void> {
  const statements = isOnPostgres
    ? [
        sql`UPDATE "videoSearch" SET "text" = to_tsvector('simple', ${title}) WHERE "videoId" = ${id}`,
      ]
    : [
        sql`DELETE FROM "videoSearch" WHERE "rowid" = ${id}`,
        sql`INSERT INTO "videoSearch" ("rowid", "title") VALUES (${id}, ${title})`,
      ]
  for (const statement of statements) await statement.execute(site.db)
}

test('an index of an older version is brought up to date in the background, and answers meanwhile', async () => {
  const id = await site.addVideo(carl, { title: 'Łódź bilby', tags: '["sci-fi"]' })
  await site.index()
  await indexAsBefore(id, 'Łódź bilby')
  await site.db.updateTable('searchState').set({ wordsFormat: 0 }).execute()
  await site.db.updateTable('searchTags').set({ plainName: '' }).execute()
  expect(await foundNow('lodz')).toBe(0)
  // The version before runs beside this one: what it writes would be found as before.
  for (const version of ['1.0.0', '2.0.0']) {
    const seenAt = new Date().toISOString()
    const node = { id: version, name: version, startedAt: seenAt, seenAt, isDraining: 0 } as const
    await addRows(site.db, 'nodes', { ...node, version })
  }
  expect(await renewWords(site.db)).toBe(false)
  expect(await waiting()).toEqual([])
  await site.db.deleteFrom('nodes').where('id', '=', '1.0.0').execute()
  expect(await renewWords(site.db)).toBe(true)
  await site.db.deleteFrom('nodes').execute()
  let turns = 0
  do {
    turns += 1
    expect(await foundNow('bilby')).toBe(COUNT + 1)
  } while (await indexNext(site.db))
  expect(turns).toBeGreaterThan(COUNT / INDEXED_AT_A_TIME)
  expect(await foundBy('bilby')).toBe(COUNT + 1)
  expect(await foundNow('lodz')).toBe(1)
  expect(await suggestedBy('scifi')).toContain('sci-fi')
  expect(await renewWords(site.db)).toBe(true)
  await expectWhole()
})

test('a broken index is reported', async () => {
  const harms = [
    `DELETE FROM "videoSearch" WHERE "${KEY.video}" = ${ids[0]}`,
    `DELETE FROM "searchTerms" WHERE "term" = 'bilby'`,
    `UPDATE "searchTerms" SET "videoCount" = 2 WHERE "term" = 'bilby'`,
    `UPDATE "searchedVideos" SET "words" = 'other' WHERE "videoId" = ${ids[0]}`,
    `INSERT INTO "searchedVideos" ("videoId", "words") VALUES (999999, 'other')`,
    `DELETE FROM "channelSearch" WHERE "${KEY.channel}" = ${carl.id}`,
  ]
  for (const harm of harms) {
    await sql.raw(harm).execute(site.db)
    expect(await indexIsWhole(reader), harm).toBe(false)
    await rebuildSearchIndex(site.db)
    expect(await indexIsWhole(reader)).toBe(true)
  }
})

async function countParts(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT "segid") AS "count" FROM "videoSearch_idx"`.execute(site.db)
  return rows[0]?.count ?? 0
}

test.skipIf(isOnPostgres)('an index made anew has one part', async () => {
  // More than FTS5 keeps before it writes a part.
  for (const id of ids) {
    const description = Array.from({ length: 1000 }, (_, at) => `w${id}x${at}`).join(' ')
    await site.db.updateTable('videos').set({ description }).where('id', '=', id).execute()
  }
  await rebuildSearchIndex(site.db)
  expect(await countParts()).toBe(1)
  await expectWhole()
})

test.skipIf(isOnPostgres)('parts are merged while very many videos are indexed', async () => {
  for (let at = 0; at < INDEXED_AT_A_TIME * 20; at++) await site.addVideo(carl, { title: 'Emu' })
  let most = 0
  const closing = new AbortController()
  const watching = (async () => {
    while (!closing.signal.aborted) {
      most = Math.max(most, await countParts())
      await setImmediate()
    }
  })()
  await site.index()
  closing.abort()
  await watching
  expect(most).toBeLessThan(24)
  expect(await countParts()).toBeLessThan(16)
  await expectWhole()
})

test.skipIf(isOnPostgres)(
  'no commit merges the parts of the index: the upkeep does, until few are left',
  async () => {
    for (const id of ids.slice(0, 40)) {
      await site.db.updateTable('videos').set({ title: 'Emu' }).where('id', '=', id).execute()
      await site.index()
    }
    expect(await countParts()).toBeGreaterThan(40)
    const version = await tidySearchIndex(site.deps, undefined)
    expect(await countParts()).toBeLessThan(16)
    expect(await mergeIndexParts(site.db)).toBe(false)
    await expectWhole()
    const changes = () => sql`SELECT total_changes() AS "count"`.execute(site.db)
    const before = (await changes()).rows
    expect(await tidySearchIndex(site.deps, version)).toBe(version)
    expect((await changes()).rows).toEqual(before)
  },
)
