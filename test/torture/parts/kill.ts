import { join } from 'node:path'
import { FAILPOINTS } from '#server/platform/failpoints.ts'
import type { TorturePart } from '../part.ts'
import { killCommandAt } from '../support/kill-commands.ts'
import { sceneOf } from '../support/kill-scenes.ts'
import { makeMaterial, openKillSite } from '../support/kill-site.ts'
import { FULL_SITE, seedFolder } from '../support/seeded-folder.ts'

const ROUNDS = 10
const START_SECONDS_MAX = 3

export const part: TorturePart = {
  name: 'kill',
  description: 'SIGKILL at every named step, on a site of 10,000 videos and 100,000 comments',
  // Some hundred kills, each with a start, a recovery and a look at everything.
  deadlineMinutes: 600,
  async run({ folder, rounds = ROUNDS, log }) {
    const dataFolder = join(folder, 'data')
    log('seeding …')
    await seedFolder(dataFolder, FULL_SITE)
    const material = await makeMaterial(join(folder, 'material'))
    const site = openKillSite({ dataFolder, material })
    const failures: string[] = []
    const starts: number[] = []
    let kills = 0
    for (let round = 1; round <= rounds; round++) {
      for (const step of FAILPOINTS) {
        const cycle = await (sceneOf(step)
          ? site.killAt(step)
          : killCommandAt(step, { site, folder: join(folder, 'work') }))
        kills += 1
        starts.push(cycle.startSeconds)
        failures.push(...cycle.failures.map((text) => `${step}, round ${round}: ${text}`))
        log(`round ${round}, ${step}: ${kills} kills, ${failures.length} failures`)
      }
    }
    const slowest = Math.max(...starts)
    if (slowest > START_SECONDS_MAX) {
      failures.push(`The slowest start took ${slowest.toFixed(2)} s to its first answer.`)
    }
    return {
      figures: [
        { what: 'named steps', value: FAILPOINTS.length, limit: 'at least 20' },
        { what: 'kills', value: kills },
        { what: 'acknowledged writes checked after each', value: site.ledger.size() },
        { what: 'slowest first answer after a kill, s', value: slowest, limit: 'at most 3' },
        { what: 'median first answer after a kill, s', value: medianOf(starts) },
      ],
      failures,
    }
  },
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
