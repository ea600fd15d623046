import { join } from 'node:path'
import { FAILPOINTS } from '#server/platform/failpoints.ts'
import type { TorturePart } from '../part.ts'
import { sceneOf } from '../support/kill-scenes.ts'
import { makeMaterial, openKillSite } from '../support/kill-site.ts'
import { killAtSteps } from '../support/kill-steps.ts'
import { openPostgresSite } from '../support/postgres-site.ts'

const ROUNDS = 3
/** Commands are left out: backups and restores are of a file, and `kill` moves to PostgreSQL. */
const STEPS = FAILPOINTS.filter((step) => sceneOf(step) || step.startsWith('upgrade.'))

export const part: TorturePart = {
  name: 'kill-postgres',
  description:
    'SIGKILL at each step of a site on PostgreSQL and a store of media, and of its upgrade',
  // What a node that was killed was at goes on after a lease.
  deadlineMinutes: 600,
  async run({ folder, rounds = ROUNDS, log }) {
    log('seeding …')
    const { dataFolder, env, stop } = await openPostgresSite(folder)
    const material = await makeMaterial(join(folder, 'material'))
    const site = openKillSite({ dataFolder, env, material })
    const result = await killAtSteps({ site, steps: STEPS, rounds, folder, log })
    await stop()
    return result
  },
}
