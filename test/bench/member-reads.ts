import { CATEGORIES } from '#shared/limits.ts'
import type { Benchmark, BenchmarkInput, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import type { RowName } from './goal-table.ts'
import { fromNewPlaces } from './home-list.ts'
import { signIn } from './member.ts'
import { type Asked, cursorBeforeAll, putLoad, trpcPath, type Vary } from './request-load.ts'
import { readSearchWords } from './search-words.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startSite } from './server-child.ts'

const ADMIN_ID = 1
const CALLS_ALONE = 50
/** Of what is ranked once for all, the first makes the ranking. */
const WARM_UP_SECONDS = 1
const LIMIT = 24

const readAs =
  (procedure: string, inputOf: (turn: number) => object): Vary =>
  (turn) => ({ path: trpcPath(procedure, inputOf(turn)) })

/** A studio is an admin's with 7 of 100 videos; videos that are recommended stand beside others that are spread over the site. */
const readsOf = (videos: number, words: string[]): Record<string, Vary> => ({
  'home list': fromNewPlaces.vary,
  'home, a category': readAs('video.list', (turn) => ({
    ...{ category: CATEGORIES[turn % CATEGORIES.length], limit: LIMIT },
    cursor: cursorBeforeAll(turn),
  })),
  trending: readAs('explore.trending', () => ({})),
  loved: readAs('explore.loved', () => ({})),
  'popular tags': readAs('explore.tags', () => ({})),
  search: readAs('search.videos', (turn) => ({ q: words[turn % words.length], limit: LIMIT })),
  suggestions: readAs('search.suggest', (turn) => ({ q: words[turn % words.length]?.slice(0, 3) })),
  studio: readAs('video.listByUser', (turn) => ({
    ...{ id: ADMIN_ID, limit: LIMIT, sort: turn % 2 ? 'views' : 'newest' },
  })),
  recommended: readAs('video.recommended', (turn) => ({ id: 1 + ((turn * 7919) % videos) })),
  'the desk’s storage list': readAs('storage.videos', () => ({})),
})

/** What the pages of a member ask, as an admin, whose cookie opens all of them. */
export const memberReads: Benchmark = {
  name: 'member-reads',
  title: 'Reads of a member, alone and ten at once',
  async run(input) {
    const dataFolder = await seededSite(input)
    const site = await startSite(dataFolder)
    try {
      return await measureReads(input, { site, dataFolder, row: 'member-reads', p99Goal: 40 })
    } finally {
      await site.stop()
    }
  },
}

export async function measureReads(
  { videos, seconds }: BenchmarkInput,
  of: { site: ServerChild; dataFolder: string; row: RowName; p99Goal: number },
): Promise<Measurement[]> {
  const { site, row, p99Goal } = of
  const cookie = await signIn(site.origin, of.dataFolder, ADMIN_ID)
  const found: Measurement[] = []
  const { rare, middling, common } = await readSearchWords(of.dataFolder)
  const words = rare.flatMap((word, index) => [
    word,
    middling[index] ?? word,
    common[index] ?? word,
  ])
  for (const [what, vary] of Object.entries(readsOf(videos, words))) {
    const asked: Asked = { what, path: '', vary, cookie }
    await putLoad(site, { ...asked, seconds: WARM_UP_SECONDS })
    const alone = await medianAlone(site, { vary, cookie })
    const load = await putLoad(site, { ...asked, seconds })
    found.push({
      ...{ row, what: `${what}, ten at once, p99`, unit: 'ms', ours: load.p99Ms },
      ...{ goal: atMost(p99Goal), floorName: null, floor: null },
      remark: `${alone.toFixed(1)} ms alone, ${Math.round(load.perSecond)} req/s, ${Math.round(load.cpuMicros ?? Number.NaN)} µs of the server’s processor`,
    })
  }
  return found
}

async function medianAlone(
  { origin }: ServerChild,
  { vary, cookie }: { vary: Vary; cookie: string },
): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < CALLS_ALONE; call++) {
    const began = performance.now()
    const answer = await fetch(`${origin}${vary(call).path}`, { headers: { cookie } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${vary(call).path} is answered ${answer.status}: ${text}`)
    times.push(performance.now() - began)
  }
  return times.sort((one, other) => one - other)[CALLS_ALONE / 2] ?? Number.NaN
}
