import { join } from 'node:path'
import type { TorturePart } from '../part.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { killAtRandom, reportRandomKills } from '../support/random-kills.ts'
import { FULL_SITE, seedFolder } from '../support/seeded-folder.ts'

const KILLS = 100
const DOCTOR_EVERY = 5

export const part: TorturePart = {
  name: 'random-kill',
  description:
    'SIGKILL at any moment while members upload, comment, rate, edit and delete, and backups run',
  async run({ folder, rounds = KILLS, seed, log }) {
    const dataFolder = join(folder, 'data')
    log('seeding …')
    await seedFolder(dataFolder, FULL_SITE)
    const material = await makeMaterial(join(folder, 'material'))
    const kills = { material, seed, kills: rounds, doctorEvery: DOCTOR_EVERY, log }
    return reportRandomKills(await killAtRandom({ dataFolder, ...kills }))
  },
}
