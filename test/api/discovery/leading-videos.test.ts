import { beforeAll, expect, test } from 'vitest'
import { findVideos } from '#server/discovery/search/find-videos.ts'
import { createLeadingVideos } from '#server/discovery/search/fts5/leading-videos.ts'
import { createSearchIndex } from '#server/discovery/search/fts5/match-sets.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import { searchSortSchema } from '#shared/schemas/search.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'

/** More than are looked at ahead. */
const VIDEOS = 2500
/** Of some videos: the others are public. */
const LEVELS: Visibility[] = ['members', 'unlisted', 'private']
const AUDIENCES = ['everybody', 'members'] as const
const GAMES = ['chess', 'rust', 'checkers', 'über ball']

const site = setUpTestSite()
let ids: number[]
beforeAll(async () => {
  const ann = await site.addMember('ann')
  ids = await site.db.transaction().execute(async (transaction) => {
    const made: number[] = []
    for (let at = 0; at < VIDEOS; at++) {
      const video = {
        title: `${GAMES[at % GAMES.length]} match ${at % 5 === 0 ? 'final' : 'round'} ${at % 700}`,
        description:
          at % 2 === 0 ? 'settings and finals of the last match C++' : 'a chequered flag',
        tags: JSON.stringify(at % 3 === 0 ? ['tournament'] : []),
        viewCount: (at * 7919) % 1301,
        visibility: LEVELS[(at + 3) % 11] ?? 'public',
        publishedAt: new Date(((at * 577) % 997) * 86_400_000).toISOString(),
      }
      made.push(await site.addVideo(ann, video, transaction))
    }
    return made
  })
})

/** Searches that look ahead for whatever is asked, and that never do. */
function openBoth() {
  const [db, other] = [openDatabaseToRead(site.dataFolder), openDatabaseToRead(site.dataFolder)]
  return {
    ahead: createSearchIndex(db, { veryMany: 0 }),
    plain: createSearchIndex(other, { veryMany: Number.POSITIVE_INFINITY }),
    close: () => Promise.all([db.destroy(), other.destroy()]),
  }
}

const QUERIES = [
  'match',
  'm',
  'ch',
  'chess',
  'chess final',
  'settings',
  'fin',
  'tournament',
  'uber',
]
const OTHERS = ['ann', 'C++', 'match C++', 'nothing', 'mathc', 'round 699', 'chequered']

async function expectSame(both: ReturnType<typeof openBoth>, pages: [number, number][]) {
  await site.index()
  for (const q of [...QUERIES, ...OTHERS]) {
    for (const sort of searchSortSchema.options) {
      for (const [offset, limit] of pages) {
        for (const audience of offset > 0 ? (['everybody'] as const) : AUDIENCES) {
          const input = { q, category: undefined, audience, sort, offset, limit }
          const plain = await findVideos(both.plain, input)
          expect(await findVideos(both.ahead, input), JSON.stringify(input)).toEqual(plain)
        }
      }
    }
  }
}

test.skipIf(isOnPostgres)('the index of few finds which of them match', async () => {
  const db = openDatabaseToRead(site.dataFolder)
  const leading = createLeadingVideos(db)
  const few = ids.slice(0, 12).toReversed()
  const chess = few.filter((id) => ids.indexOf(id) % GAMES.length === 0)
  expect(await leading.match(few, '{title} : "chess"')).toEqual(chess)
  expect(await leading.match(few.slice(0, 3), '{title} : "chess"')).toEqual([])
  await leading.forget()
  expect(await leading.match(few, '{title} : "chess"')).toEqual(chess)
  await db.destroy()
})

test.skipIf(isOnPostgres)('a look at the first videos finds what lists of all would', async () => {
  const both = openBoth()
  await expectSame(both, [
    [0, 24],
    [24, 24],
    [960, 40],
  ])
  await both.close()
})

test.skipIf(isOnPostgres)(
  'it finds a title as it is now, and a video where it stands now',
  async () => {
    const both = openBoth()
    await expectSame(both, [[0, 24]])
    const search = {
      category: undefined,
      audience: 'everybody',
      sort: 'views',
      offset: 0,
      limit: 24,
    } as const
    const listMatches = async () => (await findVideos(both.ahead, { ...search, q: 'match' })).ids
    const change = (
      id: number,
      values: Partial<Pick<VideoRow, 'title' | 'description' | 'viewCount' | 'contentApproved'>>,
    ) => site.db.updateTable('videos').set(values).where('id', '=', id).execute()
    const [first = 0, second = 0] = await listMatches()
    await change(first, { title: 'settings', description: '' })
    await expectSame(both, [[0, 24]])
    expect((await listMatches())[0]).toBe(second)
    const last = ids.at(-1) ?? 0
    await change(last, { viewCount: 5000 })
    await expectSame(both, [[0, 24]])
    expect((await listMatches())[0]).toBe(last)
    await change(last, { contentApproved: 0 })
    await expectSame(both, [[0, 24]])
    expect((await listMatches())[0]).toBe(second)
    await both.close()
  },
)
