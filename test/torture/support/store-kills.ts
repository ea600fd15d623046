import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { type Fault, startFaultProxy } from '#test/support/fault-proxy.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { createRandom } from '#tools/seed/random.ts'
import { checkSiteWhole } from '../check-site.ts'
import type { Material } from './kill-scenes.ts'
import { watchKills } from './kill-watch.ts'
import { createLedger } from './ledger.ts'
import { createSiteClient } from './site-client.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'
import { tidyStoppedSite } from './stopped-site.ts'
import { checkAway } from './store-away.ts'
import { checkContents } from './store-contents.ts'
import { createCrowd } from './store-load.ts'
import type { StoreServer } from './store-server.ts'
import { startWorkers } from './tried-workers.ts'
import { checkMediaWhole } from './whole-media.ts'

/** A step that is not come to by then never is. */
const STEP_MS_MAX = 180_000
const LIFE_MS = { least: 500, most: 6000 }
const STARTS_MAX = 20
const AWAY_MS = { least: 0, most: 4000 }
/** So few that files are fetched again and again. */
const CACHE_BYTES = 12_000_000
const FAULTS: Fault[] = ['drop', 'truncate', 500, 503, 403, 'stall']
const FAULT_MS = { least: 300, most: 3000 }
const DELAY_MS_MAX = 400

type Input = {
  store: StoreServer
  folder: string
  material: Material
  seed: number
  /** At which the site is killed once each. */
  steps: readonly Failpoint[]
  /** Of the site, a worker or the store, at any moment, afterwards. */
  randomKills: number
  log: (line: string) => void
}

export type StoreKills = {
  failures: string[]
  kills: Record<'site' | 'worker' | 'store', number>
  faults: number
  acts: number
  refusals: number
  played: number
  videos: number
  acknowledged: number
  files: number
  /** The longest until a job that was under way at a kill went on. */
  longestPause: number
  /** The longest time in which jobs waited and none was begun. */
  unserved: number
}

/**
 * Kills a site whose media lie in a store elsewhere, its two workers and the store, with faults between site and store, while
 * members upload, watch and delete. Afterwards everything acknowledged is there, and the store has what rows name.
 */
export async function killAroundStore(input: Input): Promise<StoreKills> {
  const { store, folder, material, seed, steps, randomKills, log } = input
  const random = createRandom(seed, `store-${store.name}`)
  const failures: string[] = []
  const kills = { site: 0, worker: 0, store: 0 }
  const proxy = await startFaultProxy(store.endpoint)
  const scene = await openScene(folder, store.mediaVariables('site', proxy.endpoint))
  const { dataFolder, origin, workers } = scene
  const db = openDatabaseToRead(dataFolder)
  const ledger = createLedger()
  const away = await checkAway({ store, origin, material, admin: scene.admin })
  failures.push(...away.failures)
  let told = 0
  const tell = (what: string) => {
    log(`${what}, ${failures.length} failures`)
    for (; told < failures.length; told++) log(failures[told] ?? '')
  }
  tell(`the store was away; all went on within ${away.seconds.toFixed(0)} s`)

  const crowd = createCrowd({ origin, db, ledger, material, seed, failures })
  const watched = watchKills({ db, dataFolder, ledger, failures })
  const noteKill = (victim: keyof typeof kills, when: string, workerId: number | null) => {
    kills[victim] += 1
    watched.watch(workerId)
    watched.checkSoon(`${victim} ${when}`)
    const all = kills.site + kills.worker + kills.store
    tell(`${all} kills: ${victim} ${when}`)
  }

  let faults = 0
  let faultsGoOn = true
  const faulting = (async () => {
    while (faultsGoOn) {
      await pause(random.integer(LIFE_MS.least, LIFE_MS.most))
      if (random.chance(0.2)) proxy.delay(random.integer(1, DELAY_MS_MAX))
      else proxy.fail(random.pick(FAULTS), { times: random.integer(1, 6) })
      faults += 1
      await pause(random.integer(FAULT_MS.least, FAULT_MS.most))
      proxy.heal()
    }
  })()

  const acts: Promise<void>[] = []
  await scene.killSite()
  for (const step of steps) {
    const site = await scene.startSite(step)
    const acting = crowd.act(step)
    if (!(await endsBy(site, STEP_MS_MAX))) failures.push(`The site did not come to ${step}.`)
    await scene.killSite()
    noteKill('site', `at ${step}`, null)
    acts.push(acting)
  }
  await scene.startSite()

  for (let kill = 1; kill <= randomKills; kill++) {
    await pause(random.integer(LIFE_MS.least, LIFE_MS.most))
    const victim = random.pick(['site', 'store', 'store', 'worker'] as const)
    const worker = random.pick(workers)
    if (victim === 'site') await scene.killSite()
    else if (victim === 'store') await store.kill()
    else await worker.process.end('SIGKILL')
    noteKill(victim, 'at any moment', victim === 'worker' ? worker.id : null)
    await pause(random.integer(AWAY_MS.least, AWAY_MS.most))
    if (victim === 'site') await scene.startSite()
    else if (victim === 'store') await store.start()
    else worker.process = worker.start()
  }

  faultsGoOn = false
  await faulting
  proxy.heal()
  await Promise.all(acts)
  const videos = await crowd.end()
  const { pauses, unserved } = await watched.end(origin, videos)
  for (const worker of workers) await worker.process.end('SIGKILL')
  await scene.killSite()
  await proxy.stop()
  const env = store.mediaVariables('site')
  failures.push(...(await tidyStoppedSite(dataFolder, env)), ...(await ledger.check(dataFolder)))
  failures.push(...(await checkMediaWhole(dataFolder, env)).wrong)
  failures.push(...(await checkSiteWhole(dataFolder, env)))
  const contents = await checkContents({ db, dataFolder, env, hashes: crowd.hashes })
  failures.push(...contents.wrong)
  await db.destroy()
  return {
    ...{ failures, kills, faults, videos: videos.length, acknowledged: ledger.size(), unserved },
    ...crowd.counts,
    files: contents.files,
    longestPause: Math.max(0, ...pauses),
  }
}

async function endsBy(site: SiteProcess, milliseconds: number): Promise<boolean> {
  const late = new AbortController()
  const isLate = pause(milliseconds, true, { signal: late.signal }).catch(() => true)
  const isKilled = site.exited.then(() => false)
  await Promise.race([isKilled, isLate])
  late.abort()
  return site.signal() === 'SIGKILL'
}

/** A new site, which prepares nothing itself every second time that it is started, and its two workers. */
async function openScene(folder: string, media: Record<string, string>) {
  const dataFolder = join(folder, 'data')
  const port = await findFreePort()
  let starts = 0
  let site: SiteProcess
  async function startSite(step?: Failpoint): Promise<SiteProcess> {
    const env = {
      ...media,
      PROCESSING_JOBS: String(starts++ % 2),
      RENDITIONS: '360,144',
      MEDIA_CACHE_BYTES: String(CACHE_BYTES),
      ...(step && { CLUTCH_STOP_AT: step }),
    }
    for (let tries = 1; ; tries++) {
      site = await startSiteProcess({ dataFolder, port, env })
      const isKilledAtOnce = step !== undefined && site.signal() === 'SIGKILL'
      if (site.answered || isKilledAtOnce) return site
      const said = site.output.join('')
      // A store that turns it away keeps it from starting, and whoever runs it starts it again.
      if (!said.includes('MEDIA_STORE cannot be used') || tries === STARTS_MAX) {
        throw new Error(`It did not start:\n${said}`)
      }
    }
  }
  const { origin, setupCode } = await startSite()
  const admin = createSiteClient(origin)
  await admin.register('admin', await setupCode())
  await admin.confirmPassword()
  const workers = await startWorkers(admin, { origin, folder })
  return { dataFolder, origin, admin, workers, startSite, killSite: () => site.kill() }
}
