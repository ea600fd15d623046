import { join } from 'node:path'
import { readLoopDelay } from '../torture/load/server-watch.ts'
import type { Benchmark, BenchmarkInput, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { type Asked, compareRequests, putLoad, trpcPath } from './request-load.ts'
import { inTurn, readSearchWords } from './search-words.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const LARGE = 1_000_000
const WARM_UP_SECONDS = 1

export const search: Benchmark = {
  name: 'search',
  title: 'Search, as a visitor',
  run: async (input) => {
    const { threeLetters } = await readSearchWords(await seededSite(input))
    const suggest = (q: string) => trpcPath('search.suggest', { q })
    return [
      ...(await compareSearches(input, { row: 'search', p99Goal: 40 })),
      ...(await compareRequests(input, [
        {
          ...askWords('three letters, tRPC', threeLetters, suggest),
          ...{ row: 'suggestions', p99Goal: 10 },
        },
      ])),
      await measureLoop(input),
    ]
  },
}

export const searchMillion: Benchmark = {
  name: 'search-million',
  title: 'Search among a million videos, as a visitor',
  long: true,
  run: async (given) => {
    const input = { ...given, videos: LARGE }
    return [
      ...(await compareSearches(input, { row: 'search-million', p99Goal: 100 })),
      await measureLoop(input),
    ]
  },
}

/** @param input.start as `compareRequests` has it */
export async function compareSearches(
  input: Parameters<typeof compareRequests>[0],
  goals: Pick<Asked, 'row' | 'p99Goal'>,
) {
  const words = await readSearchWords(await seededSite(input))
  const newest = (q: string) => trpcPath('search.videos', { q, sort: 'date' })
  const asked = [
    askWords('words in few videos', words.rare),
    askWords('words in some videos', words.middling),
    askWords('words in many videos', words.common),
    askWords('begins of three letters', words.threeLetters),
    askWords('begins of two letters', words.twoLetters),
    askWords('words with a typo', words.typos),
    askWords('words in many videos, newest first, tRPC', words.common, newest),
  ]
  return compareRequests(
    input,
    asked.map((one) => ({ ...one, ...goals })),
  )
}

/** Has a site write how long its event loop was held up, for `readLoopDelay`. */
export function watchedLoop({ workFolder }: Pick<BenchmarkInput, 'workFolder'>) {
  const delayFile = join(workFolder, 'loop-delay.json')
  const script = join(import.meta.dirname, '..', 'torture', 'load', 'loop-delay.ts')
  return { delayFile, settings: { LOOP_DELAY_FILE: delayFile }, flags: ['--import', script] }
}

/** Each request looks for the next of the words, as `inTurn` has them. */
export function askWords(
  what: string,
  words: string[],
  toPath = (q: string) => `/api/search?q=${encodeURIComponent(q)}`,
): Asked {
  const pathOf = (turn: number) => toPath(inTurn(words, turn))
  const many = `${what} (${words.length} different)`
  return { what: many, path: pathOf(0), vary: (turn) => ({ path: pathOf(turn) }) }
}

/**
 * How long the server's own work held up its event loop at most, while ten search for words of all kinds,
 * nearly each for the first time. Load, server and search thread share the processors: waiting for one is
 * distinguished.
 */
async function measureLoop(input: BenchmarkInput): Promise<Measurement> {
  const dataFolder = await seededSite(input)
  const words = Object.values(await readSearchWords(dataFolder))
  const { delayFile, ...watched } = watchedLoop(input)
  const site = await startSite(dataFolder, watched)
  const turns = Array.from({ length: Math.max(...words.map(({ length }) => length)) }, (_, index) =>
    words.map((list) => list[index % list.length] as string),
  )
  const asked = askWords('', turns.flat())
  try {
    await putLoad(site, { ...asked, seconds: WARM_UP_SECONDS })
    await readLoopDelay(site.pid, delayFile)
    const { p99Ms } = await putLoad(site, { ...asked, seconds: input.seconds })
    const { own, ...all } = await readLoopDelay(site.pid, delayFile)
    return {
      ...{ row: 'search-loop', what: `${input.videos} videos, held up at most`, unit: 'ms' },
      ...{ ours: own.max, goal: atMost(10), floorName: null, floor: null },
      remark:
        `p99 ${own.p99.toFixed(1)} ms; with waiting for a processor ${all.max.toFixed(1)} ms, ` +
        `p99 ${all.p99.toFixed(1)} ms; answers p99 ${p99Ms.toFixed(1)} ms`,
    }
  } finally {
    await site.stop()
  }
}
