import { join } from 'node:path'
import type { Failpoint } from '#server/platform/failpoints.ts'
import type { TortureResult } from '../part.ts'
import { killCommandAt } from './kill-commands.ts'
import { sceneOf } from './kill-scenes.ts'
import type { KillSite } from './kill-site.ts'
import { checkMediaWhole } from './whole-media.ts'

const START_SECONDS_MAX = 3

/** Kills a site, or the command that comes there, at each of some named steps, round by round. */
export async function killAtSteps(input: {
  site: KillSite
  steps: readonly Failpoint[]
  rounds: number
  /** Output of commands. */
  folder: string
  log: (line: string) => void
}): Promise<TortureResult> {
  const { site, steps, rounds, folder, log } = input
  const failures: string[] = []
  const starts: number[] = []
  let kills = 0
  for (let round = 1; round <= rounds; round++) {
    for (const step of steps) {
      const cycle = await (sceneOf(step)
        ? site.killAt(step)
        : killCommandAt(step, { site, folder: join(folder, 'work') }))
      kills += 1
      starts.push(cycle.startSeconds)
      failures.push(...cycle.failures.map((text) => `${step}, round ${round}: ${text}`))
      log(`round ${round}, ${step}: ${kills} kills, ${failures.length} failures`)
    }
  }
  const media = await checkMediaWhole(site.dataFolder, site.env)
  failures.push(...media.wrong)
  const slowest = Math.max(...starts)
  if (slowest > START_SECONDS_MAX) {
    failures.push(`The slowest start took ${slowest.toFixed(2)} s to its first answer.`)
  }
  return {
    figures: [
      { what: 'named steps', value: steps.length, limit: 'at least 20' },
      { what: 'kills', value: kills },
      { what: 'acknowledged writes checked after each', value: site.ledger.size() },
      { what: 'files decoded from end to end afterwards', value: media.decoded },
      { what: 'slowest first answer after a kill, s', value: slowest, limit: 'at most 3' },
      { what: 'median first answer after a kill, s', value: medianOf(starts) },
    ],
    failures,
  }
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
