import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FAILPOINTS, type Failpoint } from '#server/platform/failpoints.ts'
import { createRandom } from '#tools/seed/random.ts'
import type { Figure, TorturePart } from '../part.ts'
import { GOES_ON_SECONDS_MAX } from '../support/job-watch.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { startS3rver } from '../support/s3rver-process.ts'
import { killAroundStore, type StoreKills } from '../support/store-kills.ts'
import type { StoreServer } from '../support/store-server.ts'
import { startSwift, whyNoSwift } from '../support/swift-server.ts'

/** At random moments, of each store's site, workers and the store itself, after those at steps. */
const KILLS = 10
/** Long enough that most kills meet a job. */
const RECORDING = { width: 640, height: 360, seconds: 8, frameRate: 30 }
const OF_MEDIA =
  /^(upload|chunk|thumbnail|complete|cancel|job|transcode|ladder|files|retired|picture|delete|account)\./

export const part: TorturePart = {
  name: 'store',
  description:
    'media in object storage, with SIGKILL of site, workers and store, and faults between them',
  async run({ folder, rounds = KILLS, seed, log }) {
    const material = await makeMaterial(join(folder, 'material'), RECORDING)
    const random = createRandom(seed, 'store-steps')
    const steps = FAILPOINTS.filter((step) => OF_MEDIA.test(step))
      .map((step) => ({ step, place: random.fraction() }))
      .sort((one, other) => one.place - other.place)
      .map(({ step }) => step)
    const half = Math.ceil(steps.length / 2)
    const results: StoreKills[] = []
    const tryStore = async (
      start: (folder: string) => Promise<StoreServer>,
      input: { name: string; steps: readonly Failpoint[] },
    ) => {
      const own = join(folder, input.name)
      await mkdir(own, { recursive: true })
      const store = await start(join(own, 'store'))
      const scene = { store, folder: own, material, seed, randomKills: rounds }
      const onLine = (line: string) => log(`${store.name}: ${line}`)
      const result = await killAroundStore({ ...scene, steps: input.steps, log: onLine })
      await store.stop()
      results.push(result)
      return result.failures.map((text) => `${store.name}: ${text}`)
    }
    const failures = await tryStore(startS3rver, { name: 's3rver', steps: steps.slice(0, half) })
    const missing = await whyNoSwift(folder)
    if (!missing) {
      failures.push(...(await tryStore(startSwift, { name: 'swift', steps: steps.slice(half) })))
    }
    return { figures: figuresOf(results, missing), failures }
  },
}

function figuresOf(results: StoreKills[], missing: string | undefined): Figure[] {
  const sum = (value: (result: StoreKills) => number) =>
    results.reduce((all, result) => all + value(result), 0)
  const most = (value: (result: StoreKills) => number) => Math.max(...results.map(value))
  const limit = `at most ${GOES_ON_SECONDS_MAX}`
  return [
    { what: 'stores', value: missing ? `s3rver alone. ${missing}` : 's3rver, OpenStack Swift' },
    { what: 'kills of the site', value: sum(({ kills }) => kills.site) },
    { what: 'kills of its workers', value: sum(({ kills }) => kills.worker) },
    { what: 'kills of the store', value: sum(({ kills }) => kills.store) },
    { what: 'faults between site and store', value: sum(({ faults }) => faults) },
    { what: 'acts of members, each done in the end', value: sum(({ acts }) => acts) },
    { what: 'requests told to come again, with a sentence', value: sum((one) => one.refusals) },
    { what: 'files played meanwhile, each what it was before', value: sum((one) => one.played) },
    { what: 'videos, each plays with its ladder', value: sum(({ videos }) => videos) },
    { what: 'acknowledged writes checked after each kill', value: sum((one) => one.acknowledged) },
    { what: 'files in the stores, compared with the rows', value: sum(({ files }) => files) },
    { what: 'longest until a job went on, s', value: most((one) => one.longestPause), limit },
    { what: 'longest in which jobs waited, s', value: most(({ unserved }) => unserved), limit },
  ]
}
