import { join } from 'node:path'
import { FAILPOINTS } from '#server/platform/failpoints.ts'
import type { TorturePart } from '../part.ts'
import { makeMaterial, openKillSite } from '../support/kill-site.ts'
import { killAtSteps } from '../support/kill-steps.ts'
import { FULL_SITE, seedFolder } from '../support/seeded-folder.ts'

const ROUNDS = 10
/** `chat-post-kill.test.ts` and `fetch-kill.test.ts` have another server, and kill a site at the others. */
const STEPS = FAILPOINTS.filter((step) => !/^(?:chat-post|fetch)\./.test(step))

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
    return killAtSteps({ site, steps: STEPS, rounds, folder, log })
  },
}
