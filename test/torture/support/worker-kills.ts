import { setTimeout as pause } from 'node:timers/promises'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { findFreePort } from '#test/support/free-port.ts'
import type { WorkerProcess } from '#test/support/worker-process.ts'
import { createRandom } from '#tools/seed/random.ts'
import { checkSiteWhole } from '../check-site.ts'
import type { Material } from './kill-scenes.ts'
import { watchKills } from './kill-watch.ts'
import { createLedger } from './ledger.ts'
import { createSiteClient } from './site-client.ts'
import { startSiteProcess } from './site-process.ts'
import { tidyStoppedSite } from './stopped-site.ts'
import { startWorkers } from './tried-workers.ts'
import { checkMediaWhole } from './whole-media.ts'
import { startUploads } from './worker-load.ts'

/** A step that is not come to by then never is. */
const STEP_MS_MAX = 180_000
const LIFE_MS = { least: 500, most: 6000 }
const AWAY_MS = { least: 0, most: 3000 }

type Life = { exited: Promise<unknown>; signal: () => string | null; kill: () => Promise<unknown> }
type Victim = {
  name: string
  /** Null for the site. */
  workerId: number | null
  start: (step?: Failpoint) => Promise<Life>
  life: Life
}

type Input = {
  dataFolder: string
  /** Work files of workers. */
  folder: string
  material: Material
  seed: number
  /** At which the site, and its workers, are killed once each. */
  steps: { site: readonly Failpoint[]; workers: readonly Failpoint[] }
  /** Number of kills of any process at random moments afterwards. */
  randomKills: number
  log?: (line: string) => void
}

type WorkerKills = {
  failures: string[]
  kills: number
  videos: number
  acknowledged: number
  /** How long each job that was running at a kill paused. */
  pauses: number[]
  /** The longest time in which jobs waited and none was begun. */
  unserved: number
}

/**
 * Kills a site that prepares nothing itself, and its two workers, while members upload: at each step once, then at any
 * moment. Afterwards every upload has to play with its ladder, once, and nothing may be left behind.
 */
export async function killSiteAndWorkers(input: Input): Promise<WorkerKills> {
  const { dataFolder, folder, material, seed, steps, randomKills, log } = input
  const failures: string[] = []
  let kills = 0
  const { site, workers, origin } = await openScene(dataFolder, folder)
  const db = openDatabaseToRead(dataFolder)
  const ledger = createLedger()
  const endUploads = startUploads({ origin, db, ledger, material, seed, failures })

  const watched = watchKills({ db, dataFolder, ledger, failures })

  const noteKill = (victim: Victim, when: string) => {
    kills += 1
    watched.watch(victim.workerId)
    log?.(`${kills} kills: ${victim.name} ${when}`)
  }
  const killAtSteps = async (victim: Victim, own: readonly Failpoint[]) => {
    await victim.life.kill()
    for (const step of own) {
      victim.life = await victim.start(step)
      const late = new AbortController()
      const isLate = pause(STEP_MS_MAX, true, { signal: late.signal }).catch(() => false)
      await Promise.race([victim.life.exited, isLate])
      late.abort()
      if (victim.life.signal() !== 'SIGKILL') {
        failures.push(`${victim.name} did not come to ${step}.`)
        await victim.life.kill()
      }
      noteKill(victim, `at ${step}`)
    }
    victim.life = await victim.start()
  }
  const shares = workers.map((_, worker) =>
    steps.workers.filter((_, index) => index % workers.length === worker),
  )
  await Promise.all([
    killAtSteps(site, steps.site),
    ...workers.map((worker, index) => killAtSteps(worker, shares[index] ?? [])),
  ])

  const random = createRandom(seed, 'workers')
  for (let kill = 1; kill <= randomKills; kill++) {
    const victim = random.pick([site, ...workers])
    await pause(random.integer(LIFE_MS.least, LIFE_MS.most))
    await victim.life.kill()
    noteKill(victim, 'at any moment')
    await pause(random.integer(AWAY_MS.least, AWAY_MS.most))
    victim.life = await victim.start()
  }

  const videos = await endUploads()
  const { pauses, unserved } = await watched.end(origin, videos)
  await db.destroy()
  for (const { life } of workers) await life.kill()
  await site.life.kill()
  failures.push(...(await tidyStoppedSite(dataFolder)))
  failures.push(...(await checkMediaWhole(dataFolder)).wrong)
  failures.push(...(await ledger.check(dataFolder)), ...(await checkSiteWhole(dataFolder)))
  return { failures, kills, videos: videos.length, acknowledged: ledger.size(), pauses, unserved }
}

/** A new site and its two workers. */
async function openScene(dataFolder: string, folder: string) {
  const port = await findFreePort()
  const startSite = (step?: Failpoint) =>
    startSiteProcess({
      dataFolder,
      port,
      env: { PROCESSING_JOBS: '0', RENDITIONS: '360,144', ...stopAt(step) },
    })
  const first = await startSite()
  if (!first.answered) throw new Error(`It did not start:\n${first.output.join('')}`)
  const { origin } = first
  const admin = createSiteClient(origin)
  await admin.register('admin', await first.setupCode())
  await admin.confirmPassword()
  const site: Victim = { name: 'the site', workerId: null, start: startSite, life: first }
  const started = await startWorkers(admin, { origin, folder })
  const workers = started.map(({ id, start, process }, index): Victim => {
    const lifeOf = (worker: WorkerProcess) => ({ ...worker, kill: () => worker.end('SIGKILL') })
    const startAgain = async (step?: Failpoint) => lifeOf(start(stopAt(step)))
    return { name: `worker ${index + 1}`, workerId: id, start: startAgain, life: lifeOf(process) }
  })
  return { site, workers, origin }
}

function stopAt(step: Failpoint | undefined): Record<string, string> {
  return step === undefined ? {} : { CLUTCH_STOP_AT: step }
}
