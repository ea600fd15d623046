import { join } from 'node:path'
import type { TorturePart } from '../part.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { openPostgresSite } from '../support/postgres-site.ts'
import { killAtRandom, reportRandomKills } from '../support/random-kills.ts'

const KILLS = 50
/** What was under way at a kill waits for a lease, before it is finished and janitor and doctor come. */
const DOCTOR_EVERY = 10

export const part: TorturePart = {
  name: 'random-kill-postgres',
  description:
    'SIGKILL at any moment of a site on PostgreSQL and a store of media, under the same load',
  async run({ folder, rounds = KILLS, seed, log }) {
    log('seeding …')
    const { dataFolder, env, restartStore, stop } = await openPostgresSite(folder)
    const material = await makeMaterial(join(folder, 'material'))
    const kills = { material, seed, kills: rounds, doctorEvery: DOCTOR_EVERY, log }
    const site = { dataFolder, env, beforeDoctor: restartStore }
    const result = reportRandomKills(await killAtRandom({ ...site, ...kills }))
    await stop()
    return result
  },
}
