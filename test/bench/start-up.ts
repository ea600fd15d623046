import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Benchmark, takeTurns } from './benchmark.ts'
import { atMost } from './goal.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startFloor, startSite } from './server-child.ts'

const IDLE_MS = 2000

type Start = { seconds: number; megabytes: number | undefined }

export const startUp: Benchmark = {
  name: 'start',
  title: 'From the start of the process to the first answer, and memory at rest',
  async run(input) {
    const empty = join(input.workFolder, 'empty')
    await mkdir(empty)
    const seeded = await seededSite(input)
    const starts = await takeTurns(
      {
        floor: () => measure(startFloor('hello-server')),
        empty: () => measure(startSite(empty)),
        seeded: () => measure(startSite(seeded)),
      },
      (start) => start.seconds,
    )
    const floorName = "bare Fastify 'hello'"
    const sites = [
      ['a new site', starts.empty],
      [`${input.videos} videos`, starts.seeded],
    ] as const
    return sites.flatMap(([site, { seconds, megabytes }]) => [
      {
        ...{ row: 'start', what: `start, ${site}`, unit: 's', ours: seconds },
        ...{ floorName, floor: starts.floor.seconds },
        goal: atMost(1.5),
      },
      {
        ...{
          row: 'memory',
          what: `memory at rest, ${site}`,
          unit: 'MB',
          ours: megabytes ?? Number.NaN,
        },
        ...{ floorName, floor: starts.floor.megabytes ?? null },
        goal: atMost(120),
      },
    ])
  },
}

async function measure(starting: Promise<ServerChild>): Promise<Start> {
  const child = await starting
  await pause(IDLE_MS)
  const megabytes = await child.memory('now')
  await child.stop()
  return { seconds: child.startSeconds, megabytes }
}
