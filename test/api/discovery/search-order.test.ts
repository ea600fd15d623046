import { beforeAll, expect, test } from 'vitest'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import { type SearchSort, searchSortSchema } from '#shared/schemas/search.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'

/** More than an engine reads of an order at first. */
const VIDEOS = 2500
const RESULTS_MAX = 1000
/** Of some videos: the others are public. */
const LEVELS: Visibility[] = ['members', 'unlisted', 'private']
const AUDIENCES = ['everybody', 'members'] as const
const GAMES = ['chess', 'rust', 'checkers', 'ball']
const PAGES = [
  { offset: 0, limit: 24 },
  { offset: 24, limit: 24 },
  { offset: 960, limit: 40 },
]
/** In the titles of all, of a quarter, of three; in descriptions, in tags, as prefixes. */
const QUERIES = ['match', 'chess', '699', 'settings', 'chequered', 'tournament', 'fin', 'm', 'ch']

type Changed = Partial<
  Pick<VideoRow, 'title' | 'description' | 'viewCount' | 'contentApproved' | 'visibility'>
>
type Video = { id: number; tags: string; publishedAt: string } & Required<Changed>

const site = setUpTestSite()
let videos: Video[]
beforeAll(async () => {
  const zoe = await site.addMember('zoe')
  videos = await site.db.transaction().execute(async (transaction) => {
    const made: Video[] = []
    for (let at = 0; at < VIDEOS; at++) {
      const video = {
        title: `${GAMES[at % GAMES.length]} match ${at % 5 === 0 ? 'final' : 'round'} ${at % 700}`,
        description: at % 2 === 0 ? 'settings and finals of the last match' : 'a chequered flag',
        tags: JSON.stringify(at % 3 === 0 ? ['tournament'] : []),
        viewCount: (at * 7919) % 1301,
        visibility: LEVELS[(at + 3) % 11] ?? 'public',
        publishedAt: new Date(((at * 577) % 997) * 86_400_000).toISOString(),
        contentApproved: 1 as const,
      }
      made.push({ id: await site.addVideo(zoe, video, transaction), ...video })
    }
    return made
  })
})

const hasPrefix = (text: string, word: string) =>
  text.split(/[^a-z0-9]+/).some((one) => one.startsWith(word))

/** Lower ones come first; undefined when the video does not match. */
function tierOf({ title, tags, description }: Video, word: string): number | undefined {
  if (title.split(' ').includes(word)) return 0
  if (hasPrefix(title, word)) return 1
  if (hasPrefix(tags, word)) return 2
  return hasPrefix(description, word) ? 3 : undefined
}

function listExpected(
  word: string,
  { audience, sort }: { audience: (typeof AUDIENCES)[number]; sort: SearchSort },
): number[] {
  const levels = audience === 'members' ? ['public', 'members'] : ['public']
  const found = videos
    .filter((video) => video.contentApproved && levels.includes(video.visibility))
    .flatMap((video) => {
      const tier = tierOf(video, word)
      return tier === undefined ? [] : { ...video, tier }
    })
  return found
    .sort((one, other) => {
      if (sort === 'relevance' && one.tier !== other.tier) return one.tier - other.tier
      if (sort === 'date' && one.publishedAt !== other.publishedAt)
        return one.publishedAt < other.publishedAt ? 1 : -1
      if (sort !== 'date' && one.viewCount !== other.viewCount)
        return other.viewCount - one.viewCount
      return other.id - one.id
    })
    .map(({ id }) => id)
}

async function expectOrders(pages: typeof PAGES): Promise<void> {
  for (const q of QUERIES) {
    for (const sort of searchSortSchema.options) {
      for (const audience of AUDIENCES) {
        const all = listExpected(q, { audience, sort })
        for (const { offset, limit } of pages) {
          const input = { q, category: undefined, audience, sort, offset, limit }
          const { ids } = await site.deps.searcher.findVideos(input)
          const end = Math.min(offset + limit, RESULTS_MAX)
          expect(ids, JSON.stringify(input)).toEqual(all.slice(offset, end))
        }
      }
    }
  }
}

async function listMatches(): Promise<number[]> {
  const search = { q: 'match', category: undefined, audience: 'everybody', sort: 'views' } as const
  return (await site.deps.searcher.findVideos({ ...search, offset: 0, limit: 24 })).ids
}

async function change(id: number, values: Changed): Promise<void> {
  await site.db.updateTable('videos').set(values).where('id', '=', id).execute()
  videos = videos.map((video) => (video.id === id ? { ...video, ...values } : video))
}

test('words of few and of many videos are found in the order of tiers, views and days', async () => {
  await expectOrders(PAGES)
})

test('a title is found as it is now, and a video where it stands now', async () => {
  const [first = 0, second = 0] = await listMatches()
  await change(first, { title: 'settings', description: '' })
  expect((await listMatches())[0]).toBe(second)
  const last = videos.at(-1)?.id ?? 0
  await change(last, { viewCount: 5000, visibility: 'public' })
  expect((await listMatches())[0]).toBe(last)
  await change(last, { contentApproved: 0 })
  expect((await listMatches())[0]).toBe(second)
  await expectOrders(PAGES.slice(0, 1))
})
