import { join } from 'node:path'
import { FAILPOINTS, type Failpoint, WORKER_FAILPOINTS } from '#server/platform/failpoints.ts'
import { createRandom } from '#tools/seed/random.ts'
import type { TorturePart } from '../part.ts'
import { GOES_ON_SECONDS_MAX } from '../support/job-watch.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { killSiteAndWorkers } from '../support/worker-kills.ts'

/** At random moments, after one at each step. */
const KILLS = 30
/** Long enough that most kills meet a job. */
const RECORDING = { width: 640, height: 360, seconds: 15, frameRate: 30 }
const OF_UPLOADS = /^(upload|chunk|thumbnail|complete|job|transcode|ladder)\./
const OF_WORKERS = /^worker\./

export const part: TorturePart = {
  name: 'workers',
  description:
    'SIGKILL of a site and of the two workers that prepare its videos, at steps and at any moment',
  deadlineMinutes: 90,
  async run({ folder, rounds = KILLS, seed, log }) {
    const material = await makeMaterial(join(folder, 'material'), RECORDING)
    const random = createRandom(seed, 'worker-steps')
    const shuffled = (all: readonly Failpoint[]) =>
      all
        .map((step) => ({ step, place: random.fraction() }))
        .sort((a, b) => a.place - b.place)
        .map(({ step }) => step)
    const all: readonly Failpoint[] = [
      ...FAILPOINTS.filter((step) => OF_UPLOADS.test(step)),
      ...WORKER_FAILPOINTS,
    ]
    const steps = {
      site: shuffled(all.filter((step) => !OF_WORKERS.test(step))),
      workers: shuffled(all.filter((step) => OF_WORKERS.test(step))),
    }
    const { failures, kills, videos, acknowledged, pauses, unserved } = await killSiteAndWorkers({
      ...{ dataFolder: join(folder, 'data'), folder: join(folder, 'work'), material, seed },
      ...{ steps, randomKills: rounds, log },
    })
    return {
      figures: [
        { what: 'steps of site and workers, a kill at each', value: all.length },
        { what: 'kills', value: kills },
        { what: 'uploads meanwhile, each plays with its ladder', value: videos },
        { what: 'acknowledged writes checked at the end', value: acknowledged },
        { what: 'jobs under way at a kill', value: pauses.length },
        {
          what: 'longest until such a job went on, or waited for its turn again, s',
          value: Math.max(0, ...pauses),
          limit: `at most ${GOES_ON_SECONDS_MAX}`,
        },
        {
          what: 'longest in which jobs waited and none was begun, s',
          value: unserved,
          limit: `at most ${GOES_ON_SECONDS_MAX}`,
        },
      ],
      failures,
    }
  },
}
