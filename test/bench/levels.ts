import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { type Benchmark, type BenchmarkInput, type Measurement, takeTurns } from './benchmark.ts'
import { atMostTimes } from './goal.ts'
import { fromNewPlaces } from './home-list.ts'
import { signIn } from './member.ts'
import { describeShare, shareFromMemory } from './memory-share.ts'
import { type Asked, putLoad, trpcPath } from './request-load.ts'
import { inTurn, readSearchWords } from './search-words.ts'
import { seededSite, siteOfLevels } from './seeded-site.ts'
import { type ServerChild, startSite } from './server-child.ts'

/** Number of each kind. */
const REFUSALS = 5000
const REFUSAL_NOISE = 1.05
const ABOVE_ALL_IDS = 1_000_000_000
/** Of a 99th percentile that is measured twice on a quiet machine. */
const NOISE = { times: 1.25, plusMs: 2 }

type Site = { server: ServerChild; cookie: string }

/** What lists and searches cost where some videos are not for everybody. */
export const levels: Benchmark = {
  name: 'levels',
  title: 'Lists and searches with a third of the videos not public',
  async run(input) {
    const plain = await seededSite(input)
    const mixed = await siteOfLevels(input)
    const asked = await listQuestions(plain)
    const [all, some] = [await open(plain), await open(mixed)]
    try {
      const found: Measurement[] = []
      for (const question of asked) found.push(await compare(input, { all, some, question }))
      return [...found, await compareRefusals(some, mixed)]
    } finally {
      await Promise.all([all.server.stop(), some.server.stop()])
    }
  },
}

/** Whether a video that one may not see takes as long as one that there is not. */
async function compareRefusals(site: Site, dataFolder: string): Promise<Measurement> {
  const db = openDatabaseToRead(dataFolder)
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('visibility', '=', 'private')
    .execute()
  await db.destroy()
  const times: Record<'hidden' | 'missing', number[]> = { hidden: [], missing: [] }
  const ask = async (id: number | undefined) => {
    const began = performance.now()
    const answer = await fetch(`${site.server.origin}/api/videos/${id}`)
    await answer.arrayBuffer()
    if (answer.status !== 404) throw new Error(`A hidden video is answered ${answer.status}.`)
    return performance.now() - began
  }
  // One after the other, so that a noisy moment meets both.
  for (const { id } of rows.slice(0, REFUSALS)) {
    times.hidden.push(await ask(id))
    times.missing.push(await ask(ABOVE_ALL_IDS + id))
  }
  return {
    ...{ row: 'levels', what: 'a 404 for a hidden video, median', unit: 'ms' },
    ...{ ours: quantile(times.hidden, 0.5), floor: quantile(times.missing, 0.5) },
    ...{ floorName: 'no such video', goal: atMostTimes(REFUSAL_NOISE) },
    remark: `quartiles ${[0.25, 0.75]
      .map(
        (part) =>
          `${describeMicros(times.hidden, part)} beside ${describeMicros(times.missing, part)}`,
      )
      .join(' and ')}`,
  }
}

const describeMicros = (times: number[], part: number) =>
  `${Math.round(quantile(times, part) * 1000)} µs`

function quantile(times: number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}

async function open(dataFolder: string): Promise<Site> {
  const server = await startSite(dataFolder)
  return { server, cookie: await signIn(server.origin, dataFolder) }
}

async function listQuestions(dataFolder: string): Promise<Asked[]> {
  const { middling, common, threeLetters, typos } = await readSearchWords(dataFolder)
  const lists: Asked[] = [{ what: 'home list', ...fromNewPlaces }]
  const searches = [
    search('words in some videos', middling),
    search('words in many videos', common),
    search('words in many videos, newest first', common, 'date'),
    search('begins of three letters', threeLetters),
    search('words with a typo', typos),
  ]
  return [...lists, ...searches].flatMap((one) => [
    { ...one, what: `${one.what}, visitor` },
    { ...one, what: `${one.what}, signed in`, signedIn: true },
  ])
}

function search(what: string, words: string[], sort = 'relevance'): Asked {
  const pathOf = (turn: number) => trpcPath('search.videos', { q: inTurn(words, turn), sort })
  return { what, path: pathOf(0), vary: (turn) => ({ path: pathOf(turn) }) }
}

async function compare(
  { seconds }: BenchmarkInput,
  { all, some, question }: { all: Site; some: Site; question: Asked },
): Promise<Measurement> {
  const ask = ({ server, cookie }: Site) =>
    putLoad(server, { ...question, ...(question.signedIn && { cookie }), seconds })
  for (const site of [all, some]) await ask(site)
  const results = await takeTurns(
    { all: () => ask(all), some: () => ask(some) },
    ({ p99Ms }) => p99Ms,
  )
  const share = await shareFromMemory(some.server, () => ask(some))
  return {
    ...{ row: 'levels', what: `${question.what}, p99`, unit: 'ms' },
    ...{ ours: results.some.p99Ms, floor: results.all.p99Ms, floorName: 'all videos public' },
    goal: atMostTimes(NOISE.times, NOISE.plusMs),
    remark: `${[results.some, results.all]
      .map(({ perSecond, cpuMicros }) => {
        const cpu = cpuMicros === undefined ? '' : ` of ${Math.round(cpuMicros)} µs of CPU`
        return `${Math.round(perSecond)} req/s${cpu}`
      })
      .join(' beside ')}, ${describeShare(share)}`,
  }
}
