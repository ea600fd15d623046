import { constants, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/db/open.ts'
import { readLoopDelay } from '../torture/load/server-watch.ts'
import type { Benchmark, BenchmarkInput, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { fromNewPlaces } from './home-list.ts'
import { putLoad } from './request-load.ts'
import { askWords, watchedLoop } from './search.ts'
import { readSearchWords } from './search-words.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const LARGE = 1_000_000
/** What the start itself takes is the subject of others. */
const BOOT_SECONDS = 2
const KINDS = ['seed', 'upgrade'] as const
const DESCRIPTION = {
  seed: 'first start after a seed',
  upgrade: 'while all videos are indexed anew, as an upgrade may ask for',
}

export const freshStart: Benchmark = {
  name: 'fresh-start',
  title: 'What others notice of the preparation after a first start',
  run: measureBoth,
}

export const freshStartMillion: Benchmark = {
  name: 'fresh-start-million',
  title: 'What others notice of the preparation after a first start, with a million videos',
  long: true,
  run: (input) => measureBoth({ ...input, videos: LARGE }),
}

async function measureBoth(input: BenchmarkInput): Promise<Measurement[]> {
  const found: Measurement[] = []
  for (const kind of KINDS) found.push(await measure(input, kind))
  return found
}

/** On a copy: a site that was started once has prepared what there is to prepare. */
async function measure(input: BenchmarkInput, kind: (typeof KINDS)[number]): Promise<Measurement> {
  const dataFolder = join(input.workFolder, kind)
  const seeded = await seededSite(input)
  await cp(seeded, dataFolder, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const { common } = await readSearchWords(dataFolder)
  if (kind === 'upgrade') await askForNewWords(dataFolder)
  const { delayFile, ...watched } = watchedLoop(input)
  const site = await startSite(dataFolder, watched)
  try {
    const ask = (seconds: number) =>
      Promise.all([
        putLoad(site, { what: '', ...fromNewPlaces, connections: 1, seconds }),
        putLoad(site, { ...askWords('', common), connections: 1, seconds }),
      ])
    await ask(BOOT_SECONDS)
    await readLoopDelay(site.pid, delayFile)
    const [home, search] = await ask(input.seconds * KINDS.length)
    const { own, ...all } = await readLoopDelay(site.pid, delayFile)
    return {
      ...{ row: 'fresh-start', what: `${input.videos} videos, ${DESCRIPTION[kind]}`, unit: 'ms' },
      ...{ ours: own.max, goal: atMost(10), floorName: null, floor: null },
      remark:
        `p99 ${own.p99.toFixed(1)} ms; with waiting for a processor ${all.max.toFixed(1)} ms, ` +
        `p99 ${all.p99.toFixed(1)} ms; home list p99 ${home.p99Ms.toFixed(1)} ms, ` +
        `words in many videos p99 ${search.p99Ms.toFixed(1)} ms`,
    }
  } finally {
    await site.stop()
  }
}

async function askForNewWords(dataFolder: string): Promise<void> {
  const db = openDatabase(dataFolder)
  await db.updateTable('searchState').set({ wordsFormat: 0 }).execute()
  await db.destroy()
}
