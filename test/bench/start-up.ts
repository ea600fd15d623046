import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Benchmark, type Measurement, takeTurns } from './benchmark.ts'
import { atMost } from './goal.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startFloor, startSite } from './server-child.ts'

const IDLE_MS = 2000
/** Long enough for the engine to give back what the start took. */
const REST_MS = 60_000
const LARGE = 1_000_000

const FLOOR_NAME = "bare Fastify 'hello'"

export const startUp: Benchmark = {
  name: 'start',
  title: 'From the start of the process to the first answer, and memory at rest',
  async run(input) {
    const empty = join(input.workFolder, 'empty')
    await mkdir(empty)
    const seeded = await seededSite(input)
    // The first start compiles what later ones find compiled.
    await (await startSite(empty)).stop()
    const starts = await takeTurns(
      {
        floor: () => secondsToStart(startFloor('hello-server')),
        empty: () => secondsToStart(startSite(empty)),
        seeded: () => secondsToStart(startSite(seeded)),
      },
      (seconds) => seconds,
    )
    const [floorRest, emptyRest, seededRest] = await Promise.all([
      memoryAtRest(startFloor('hello-server')),
      memoryAtRest(startSite(empty)),
      memoryAtRest(startSite(seeded)),
    ])
    const floor = { floorName: FLOOR_NAME, floor: starts.floor }
    const size = `${input.videos} videos`
    return [
      { what: 'start, a new site', unit: 's', ours: starts.empty, ...floor },
      { what: `start, ${size}`, unit: 's', ours: starts.seeded, ...floor },
      toMemory('a new site', { ours: emptyRest, floor: floorRest, most: 140 }),
      toMemory(size, { ours: seededRest, floor: floorRest, most: 150 }),
    ]
  },
}

export const startMillion: Benchmark = {
  name: 'start-million',
  title: 'From the start of the process to the first answer, with a million videos',
  long: true,
  async run(input) {
    const site = await seededSite({ ...input, videos: LARGE })
    const starts = await takeTurns(
      {
        floor: () => secondsToStart(startFloor('hello-server')),
        site: () => secondsToStart(startSite(site)),
      },
      (seconds) => seconds,
    )
    return [
      {
        ...{ row: 'start', what: 'to the first answer', unit: 's', ours: starts.site },
        ...{ goal: atMost(1.5), floorName: FLOOR_NAME, floor: starts.floor },
      },
    ]
  },
}

async function secondsToStart(starting: Promise<ServerChild>): Promise<number> {
  const child = await starting
  await pause(IDLE_MS)
  await child.stop()
  return child.startSeconds
}

async function memoryAtRest(starting: Promise<ServerChild>): Promise<number | undefined> {
  const child = await starting
  await pause(REST_MS)
  const megabytes = await child.memory('now')
  await child.stop()
  return megabytes
}

function toMemory(
  what: string,
  { ours, floor, most }: { ours: number | undefined; floor: number | undefined; most: number },
): Measurement {
  return {
    ...{ row: 'memory', what: `${what}, after a minute`, unit: 'MB', ours: ours ?? Number.NaN },
    ...{ goal: atMost(most), floorName: FLOOR_NAME, floor: floor ?? null },
  }
}
