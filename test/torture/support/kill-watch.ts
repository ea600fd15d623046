import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/db/database.ts'
import { GOES_ON_SECONDS_MAX, type Pause, watchJobs, watchQueue } from './job-watch.ts'
import type { Ledger } from './ledger.ts'
import { checkPlaying } from './playing-videos.ts'
import type { Variables } from './tried-site.ts'
import { waitUntilFinished } from './unfinished.ts'

/** Within which what a kill has cut off is as promised again. */
const KEPT_MS_MAX = 120_000
const CHECK_MS = 3000

type Watched = {
  db: Database
  dataFolder: string
  env?: Variables
  ledger: Ledger
  failures: string[]
}

/** Watches what kills of a running site's processes interrupt. */
export function watchKills({ db, dataFolder, env, ledger, failures }: Watched) {
  const watches: Promise<Pause[]>[] = []
  const checks: Promise<void>[] = []
  const endQueue = watchQueue(db)
  const checkKept = async (kill: string) => {
    for (const end = performance.now() + KEPT_MS_MAX; ; await pause(CHECK_MS)) {
      const lost = await ledger.check(dataFolder, env)
      if (lost.length === 0) return
      if (performance.now() < end) continue
      failures.push(...lost.map((text) => `${kill}: ${text}`))
      return
    }
  }
  return {
    /** After a kill. @param workerId of the worker that was killed; null for anything else */
    watch: (workerId: number | null) => void watches.push(watchJobs(db, workerId)),
    /** While the site runs: what it had acknowledged before a kill has to be there soon. */
    checkSoon: (kill: string) => void checks.push(checkKept(kill)),
    /**
     * When nobody sends anything more: waits until all work is done and every video plays.
     * @returns in seconds, how long each job paused, and the longest time in which jobs waited and none was begun
     */
    async end(origin: string, videos: Parameters<typeof checkPlaying>[0]['videos']) {
      await Promise.all(checks)
      const pauses = (await Promise.all(watches)).flat()
      failures.push(...pauses.flatMap(({ failure }) => failure ?? []))
      failures.push(...(await waitUntilFinished(dataFolder, env)))
      const unserved = await endQueue()
      if (unserved > GOES_ON_SECONDS_MAX) {
        failures.push(`No job was begun for ${unserved.toFixed(0)} s, and some waited.`)
      }
      failures.push(...(await checkPlaying({ origin, db, videos })))
      return { pauses: pauses.map(({ seconds }) => seconds), unserved }
    },
  }
}
