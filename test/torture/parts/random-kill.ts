import { join } from 'node:path'
import type { TorturePart } from '../part.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { killAtRandom } from '../support/random-kills.ts'
import { FULL_SITE, seedFolder } from '../support/seeded-folder.ts'

const KILLS = 100
const DOCTOR_EVERY = 5
const START_SECONDS_MAX = 3

export const part: TorturePart = {
  name: 'random-kill',
  description:
    'SIGKILL at any moment while members upload, comment, rate and delete, and backups run',
  async run({ folder, rounds = KILLS, seed, log }) {
    const dataFolder = join(folder, 'data')
    log('seeding …')
    await seedFolder(dataFolder, FULL_SITE)
    const material = await makeMaterial(join(folder, 'material'))
    const doctorEvery = DOCTOR_EVERY
    const kills = { dataFolder, material, seed, kills: rounds, doctorEvery, log }
    const { failures, starts, acts, acknowledged, doctors } = await killAtRandom(kills)
    const slowest = Math.max(...starts)
    if (slowest > START_SECONDS_MAX)
      failures.push(`The slowest start took ${slowest.toFixed(2)} s.`)
    return {
      figures: [
        { what: 'kills at random moments', value: rounds },
        { what: 'acts of members meanwhile', value: acts },
        { what: 'acknowledged writes checked after each', value: acknowledged },
        { what: 'visits of janitor and doctor', value: doctors },
        { what: 'slowest first answer after a kill, s', value: slowest, limit: 'at most 3' },
      ],
      failures,
    }
  },
}
