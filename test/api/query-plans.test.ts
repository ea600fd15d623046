import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findSuggestions } from '#server/search/find-suggestions.ts'
import { findVideos } from '#server/search/find-videos.ts'
import { createSearchIndex } from '#server/search/match-sets.ts'
import { callProcedure } from '../support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '../support/test-site.ts'

/** They grow with the site; the others have a few rows, or as many as there are words or days. */
const GROWING = [
  ...['videos', 'users', 'comments', 'likes', 'subscriptions', 'notifications', 'history', 'views'],
  ...[
    'dailyViews',
    'videoDays',
    'videoSources',
    'videoTags',
    'watchedNext',
    'mediaFiles',
    'sessions',
  ],
  ...['playlists', 'playlistItems', 'hiddenVideos', 'uploads', 'jobs', 'searchTerms', 'heat'],
]

let site: TestSite
let ann: TestMember
let video: number
const asked = new Set<string>()

beforeAll(async () => {
  const { prepare } = Sqlite.prototype
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (
    this: Sqlite.Database,
    source,
  ) {
    asked.add(source)
    return prepare.call(this, source)
  })
  site = await openTestSite()
  ann = await site.addMember('ann')
  for (let at = 0; at < 5; at++)
    video = await site.addVideo(ann, { title: `Clutch ${at}`, tags: '["a"]' })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await site.close()
})

const page = { limit: 2 }
/** What the pages ask most, and with what. */
const HOT: [string, unknown[]][] = [
  ['auth.currentUser', [undefined]],
  ['comment.list', [{ id: 0, ...page }]],
  ['comment.pinned', [{ id: 0 }]],
  ['explore.games', [undefined]],
  ['explore.tags', [undefined]],
  ['explore.trending', [{}, { category: 'Rust' }]],
  ['history.list', [page]],
  ['history.positions', [{ videoIds: [1, 2] }]],
  ['notification.list', [page]],
  ['playlist.watchLater', [undefined]],
  ['site.settings', [undefined]],
  ['subscription.list', [undefined, {}]],
  ['user.get', [{ id: 1 }]],
  ['video.get', [{ id: 0 }]],
  ['video.list', [page, { ...page, category: 'Rust' }]],
  ['video.listByCategory', [{ ...page, category: 'Rust' }]],
  [
    'video.listByUser',
    [
      { id: 1, ...page },
      { id: 1, ...page, sort: 'views' },
    ],
  ],
  ['video.listLiked', [page]],
  ['video.listSubscribed', [page]],
  ['video.playback', [{ id: 0 }]],
  ['video.recommended', [{ id: 0 }]],
]

async function askAll(): Promise<void> {
  for (const as of [undefined, ann]) {
    for (const [name, inputs] of HOT) {
      for (const input of inputs) {
        const about = JSON.parse(JSON.stringify(input ?? null).replace('"id":0', `"id":${video}`))
        const call = { as, name, input: about ?? undefined }
        const answer = await callProcedure(site, call)
        const data = answer.statusCode === 200 ? answer.json().result.data : undefined
        const cursor = data?.nextCursor
        if (cursor) await callProcedure(site, { ...call, input: { ...about, cursor } })
      }
    }
  }
  // The thread's own, asked here.
  const index = createSearchIndex(site.db)
  for (const q of ['clutch', 'cl', 'clutsh', 'a']) {
    for (const sort of ['relevance', 'date', 'views'] as const) {
      await findVideos(index, { q, sort, category: undefined, offset: 0, limit: 24 })
    }
    await findSuggestions({ index, db: site.db }, q)
  }
}

/** They sort, but few rows however large the site is. Each is known by some of its words. */
const SORTS_FEW: Record<string, string> = {
  'AS game ORDER BY game.key': 'the categories',
  'GROUP BY videoTags.tag ORDER BY count DESC': 'the tags of the newest 2,000 videos',
  'WITH viewed AS': 'what was viewed within a week, and the newest acts',
  'WITH source AS': 'some hundred candidates from each of several indexes',
  'JOIN videos AS found ON found.id IN': 'a page of each channel that is followed',
  'videos.id IN (SELECT value FROM json_each(?))': 'the videos that were named',
  'WITH RECURSIVE found (tag)': 'thirty tags',
  'SELECT rowid FROM channelSearch WHERE channelSearch MATCH': 'a hundred channels',
  'json_each(?) AS found JOIN videos': 'the videos that were named',
  'WHERE term IN (SELECT value FROM json_each(?))': 'the words that were named',
}
/** They are read in their order until there are enough. */
const READ_IN_ORDER = /^SCAN videos USING (COVERING )?INDEX publicVideosBy(Time|Views)$/

async function explain(source: string): Promise<string[]> {
  const filled = source.replaceAll('?', 'NULL')
  const plan = sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${filled}`)}`
  return (await plan.execute(site.db)).rows.map(({ detail }) => detail)
}

/** What is wrong with how a statement is carried out. */
async function findFaults(source: string): Promise<string[]> {
  const words = source.replaceAll('"', '').replaceAll(/\s+/g, ' ')
  const sortsFew = Object.keys(SORTS_FEW).some((part) => words.includes(part))
  const details = await explain(source)
  return details.filter((detail) => {
    if (detail.includes('TEMP B-TREE')) return !sortsFew
    const table = /^SCAN (\w+)/.exec(detail)?.[1] ?? ''
    const inOrder = READ_IN_ORDER.test(detail) && / limit (\?|\d)/i.test(words)
    return GROWING.includes(table) && !inOrder
  })
}

test('no question of the pages goes through a growing table, or sorts one', async () => {
  asked.clear()
  await askAll()
  const reads = [...asked].filter((source) => /^\s*(select|with)/i.test(source))
  expect(reads.length).toBeGreaterThan(40)
  const found: string[] = []
  for (const source of reads) {
    for (const fault of await findFaults(source)) found.push(`${fault}: ${source}`)
  }
  expect(found).toEqual([])
})

test('a scan and a sort are told', async () => {
  expect(await findFaults('SELECT * FROM comments WHERE content = ?')).toEqual(['SCAN comments'])
  expect(await findFaults('SELECT id FROM videos ORDER BY title LIMIT 5')).toHaveLength(2)
})

test('categories are counted, not looked through, whatever becomes of their videos', async () => {
  const count = async () => {
    const games = (await callProcedure(site, { name: 'explore.games' })).json().result.data
    const { rows } = await sql<{ category: string; count: number }>`
      SELECT category, count(*) AS count FROM videos
      WHERE processingState = 'ready' AND contentApproved = 1 GROUP BY category`.execute(site.db)
    const counts = new Map(rows.map((row) => [row.category, row.count]))
    for (const { name, videoCount } of games) expect(videoCount, name).toBe(counts.get(name) ?? 0)
  }
  await count()
  const { db } = site
  const set = (change: object) =>
    db.updateTable('videos').set(change).where('id', '=', video).execute()
  const changes = [
    { category: 'Rust' },
    { contentApproved: 0 },
    { category: 'CS2' },
    { contentApproved: 1 },
    { processingState: 'deleting', category: 'GTA' },
    { processingState: 'ready' },
    { title: 'Nothing' },
  ]
  for (const change of changes) {
    await set(change)
    await count()
  }
  await db.deleteFrom('videos').where('id', '=', video).execute()
  await count()
})
