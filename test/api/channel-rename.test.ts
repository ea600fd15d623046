import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabaseToRead } from '#server/db/database.ts'
import { indexIsWhole } from '#server/search/index-health.queries.ts'
import { mergeIndexParts } from '#server/search/index-merge.queries.ts'
import {
  RENAMED_AT_A_TIME,
  spreadChannelName,
  spreadChannelNames,
  tidySearchIndex,
} from '#server/search/index-upkeep.service.ts'
import { answerOf } from '../support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '../support/test-site.ts'

const COUNT = RENAMED_AT_A_TIME * 3 + 5

let site: TestSite
let carl: TestMember
/** Reads what is committed, as the doctor does. */
let reader: Database
let ids: number[] = []
beforeAll(async () => {
  site = await openTestSite({ rateLimitScale: 1_000_000 })
  reader = openDatabaseToRead(site.dataFolder)
  carl = await site.addMember('carl')
})
afterAll(async () => {
  await reader.destroy()
  await site.close()
})

beforeEach(async () => {
  await site.db.deleteFrom('videos').execute()
  await site.db.deleteFrom('channelRenames').execute()
  await setName('Old Name')
  ids = []
  for (let at = 0; at < COUNT; at++) ids.push(await site.addVideo(carl, { title: `Bilby ${at}` }))
})

/** What is left of a rename when the server ends right after it. */
async function setName(displayName: string): Promise<void> {
  await site.db.updateTable('users').set({ displayName }).where('id', '=', carl.id).execute()
}

async function foundBy(q: string): Promise<number> {
  return (await answerOf<{ total: number }>(site, { name: 'search.videos', input: { q } })).total
}

const found = async () => [await foundBy('old'), await foundBy('new'), await foundBy('newest')]

async function expectWhole(): Promise<void> {
  expect(await indexIsWhole(reader)).toBe(true)
}

test('a new name reaches some videos at a time, and the index is whole at every step', async () => {
  await setName('New Name')
  expect(await found()).toEqual([COUNT, 0, 0])
  await expectWhole()
  for (let reached = RENAMED_AT_A_TIME; reached <= COUNT; reached += RENAMED_AT_A_TIME) {
    expect(await spreadChannelName(site.db)).toBe(true)
    expect(await found()).toEqual([COUNT - reached, reached, 0])
    await expectWhole()
  }
  await spreadChannelName(site.db)
  expect(await found()).toEqual([0, COUNT, 0])
  expect(await spreadChannelName(site.db)).toBe(false)
  await expectWhole()
})

test('the channel itself is found by its new name at once', async () => {
  await setName('Numbat Name')
  const suggestions = await answerOf<{ kind: string }[]>(site, {
    name: 'search.suggest',
    input: { q: 'numbat' },
  })
  expect(JSON.stringify(suggestions)).toContain('Numbat Name')
})

test('videos added, edited, hidden and deleted meanwhile are counted as they are', async () => {
  await setName('New Name')
  await spreadChannelName(site.db)
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
  await spreadChannelNames(site.deps)
  await expectWhole()
  expect(await found()).toEqual([0, COUNT - 2, 0])
  expect(await foundBy('wombat')).toBe(3)
})

test('a name that is changed again meanwhile follows the first', async () => {
  await setName('New Name')
  await spreadChannelName(site.db)
  await setName('Newest Name')
  await expectWhole()
  await spreadChannelNames(site.deps)
  expect(await found()).toEqual([0, COUNT, COUNT])
  await setName('New Name')
  await spreadChannelName(site.db)
  await setName('Newest Name')
  await expectWhole()
  await spreadChannelNames(site.deps)
  expect(await foundBy('newest')).toBe(COUNT)
  await expectWhole()
})

test('a channel that is deleted meanwhile leaves nothing behind', async () => {
  const dora = await site.addMember('dora')
  await site.addVideo(dora, { title: 'Quokka' })
  const rename = { displayName: 'Renamed' }
  await site.db.updateTable('users').set(rename).where('id', '=', dora.id).execute()
  await site.db.deleteFrom('users').where('id', '=', dora.id).execute()
  expect(await site.db.selectFrom('channelRenames').selectAll().execute()).toEqual([])
  await expectWhole()
})

test('a stopping server ends between two steps, and the next one goes on', async () => {
  await setName('New Name')
  const closing = new AbortController()
  let turns = 0
  const watch = setInterval(() => {
    turns += 1
    closing.abort()
  }, 0)
  await spreadChannelNames({ db: site.db, closing: closing.signal })
  clearInterval(watch)
  expect(turns).toBeGreaterThan(0)
  expect(await site.db.selectFrom('channelRenames').select('userId').execute()).toHaveLength(1)
  await tidySearchIndex(site.deps, undefined)
  expect(await found()).toEqual([0, COUNT, 0])
})

test('who changes the name is answered before all videos have it', async () => {
  const input = { displayName: 'New Name' }
  await answerOf(site, { as: carl, name: 'settings.editProfile', input })
  const rename = await site.db.selectFrom('channelRenames').selectAll().executeTakeFirst()
  expect(rename?.reachedId).toBeLessThan(ids.at(-1) ?? 0)
  await expect.poll(found).toEqual([0, COUNT, 0])
})

test('no commit merges the parts of the index: the upkeep does, until few are left', async () => {
  const parts = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(DISTINCT segid) AS count FROM videoSearch_idx`.execute(site.db)
    return rows[0]?.count ?? 0
  }
  expect(await parts()).toBeGreaterThan(COUNT / 2)
  const version = await tidySearchIndex(site.deps, undefined)
  expect(await parts()).toBeLessThan(16)
  expect(await mergeIndexParts(site.db)).toBe(false)
  await expectWhole()
  const changes = () => sql`SELECT total_changes() AS count`.execute(site.db)
  const before = (await changes()).rows
  expect(await tidySearchIndex(site.deps, version)).toBe(version)
  expect((await changes()).rows).toEqual(before)
})
