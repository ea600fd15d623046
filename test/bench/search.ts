import type { Benchmark, BenchmarkInput, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { type Asked, compareRequests, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const CONNECTIONS = 10
const newest = { q: 'clutch', sort: 'date' }

const LARGE = 1_000_000

export const search: Benchmark = {
  name: 'search',
  title: 'Search, as a visitor',
  run: async (input) => [
    ...(await compareSearches(input, { row: 'search', p99Goal: 20 })),
    ...(await compareRequests(input, [
      {
        ...{ what: 'tRPC', path: trpcPath('search.suggest', { q: 'mir' }), anew: true },
        ...{ row: 'suggestions', p99Goal: 10 },
      },
    ])),
    await measureOthers(input),
  ],
}

export const searchMillion: Benchmark = {
  name: 'search-million',
  title: 'Search among a million videos, as a visitor',
  million: true,
  run: (input) =>
    compareSearches({ ...input, videos: LARGE }, { row: 'search-million', p99Goal: 60 }),
}

function compareSearches(input: BenchmarkInput, goals: Pick<Asked, 'row' | 'p99Goal'>) {
  const anew = (what: string, path: string) => ({ what, path, anew: true, ...goals })
  return compareRequests(input, [
    anew('a word in few videos', '/api/search?q=cherry'),
    anew('a word in many videos', '/api/search?q=clutch'),
    anew('a word in most videos', '/api/search?q=the'),
    anew('the begin of a word', '/api/search?q=mir'),
    anew('two letters', '/api/search?q=mi'),
    anew('a word with a typo', '/api/search?q=infreno'),
    anew('many videos, newest first, tRPC', trpcPath('search.videos', newest)),
  ])
}

/** How long others wait for an answer from memory while ten search for what nobody searched before. */
async function measureOthers(input: BenchmarkInput): Promise<Measurement> {
  const site = await startSite(await seededSite(input))
  let isOver = false
  let count = 0
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const searching = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      const [first, second] = [letters[count % 26], letters[Math.floor(count++ / 26) % 26]]
      await (await fetch(`${site.origin}/api/search?q=${first}${second}`)).arrayBuffer()
    }
  })
  const waits: number[] = []
  const end = performance.now() + input.seconds * 1000
  while (performance.now() < end) {
    const began = performance.now()
    await (await fetch(`${site.origin}/api/categories`)).arrayBuffer()
    waits.push(performance.now() - began)
  }
  isOver = true
  await Promise.all(searching)
  await site.stop()
  const sorted = waits.sort((a, b) => a - b)
  return {
    ...{ row: 'search-loop', what: 'another answer meanwhile, p99', unit: 'ms' },
    ours: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    ...{ goal: atMost(10), floorName: null, floor: null },
    remark: `${sorted.length} answers, the slowest ${Math.round(sorted.at(-1) ?? 0)} ms`,
  }
}
