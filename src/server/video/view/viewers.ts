import { createHmac } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'
import { networkOf } from '#server/platform/http/connection/client-address.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { createHeatMeter } from './heat.ts'
import { deleteIdleWatching, type Followed, followInRows } from './watching.queries.ts'

const REMEMBERED_MAX = 20_000
/** Age at which rows are deleted, and interval. */
const IDLE_MS = 6 * 3600 * 1000

/** Account, or address and browser. */
export type Asking = { viewer: Viewer | undefined; address: string; userAgent: string | null }
/** `network` is the common key prefix of an address. */
type ViewerKey = { key: string; network?: string }

export type Viewers = ReturnType<typeof createViewers>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    viewers: Viewers
  }
}

/** @param given milliseconds, monotonic or shared by processes */
export function createViewers(db: Database, given?: () => number) {
  const isAlone = lineOf(db).self === null
  const now = given ?? (isAlone ? () => performance.now() : Date.now)
  let cleanedAt = now()
  const since = new Map<string, { firstAt: number; lastAt: number; watchedSeconds: number }>()
  let secret: string | undefined

  async function digest(text: string): Promise<string> {
    secret ??= await findViewerSecret(db)
    return createHmac('sha256', secret).update(text).digest('base64url')
  }

  function followHere(name: string, watchedSeconds: number): Followed {
    const before = since.get(name)
    if (before) {
      const [passed, pause] = [now() - before.firstAt, now() - before.lastAt]
      // A reopened page counts from 0.
      const reported = Math.min(before.watchedSeconds, watchedSeconds)
      Object.assign(before, { lastAt: now(), watchedSeconds })
      return { passed: passed / 1000, fresh: Math.min(watchedSeconds - reported, pause / 1000) }
    }
    if (since.size >= REMEMBERED_MAX) {
      const [oldest] = since.keys()
      if (oldest !== undefined) since.delete(oldest)
    }
    since.set(name, { firstAt: now(), lastAt: now(), watchedSeconds })
    return { passed: 0, fresh: 0 }
  }

  async function followTogether(name: string, watchedSeconds: number): Promise<Followed> {
    if (now() - cleanedAt >= IDLE_MS) {
      cleanedAt = now()
      await deleteIdleWatching(db, Math.floor(now()) - IDLE_MS)
    }
    return followInRows(db, { name, watchedSeconds, now: Math.floor(now()) })
  }

  return {
    /** Does not reveal the address. */
    async keyOf({ viewer, address, userAgent }: Asking): Promise<ViewerKey> {
      if (viewer) return { key: `member-${viewer.id}` }
      const home = networkOf(address)
      const network = `visitor-${(await digest(home)).slice(0, 22)}`
      const browser = (await digest(`${home} ${userAgent ?? ''}`)).slice(0, 11)
      return { key: `${network}-${browser}`, network }
    },
    heat: createHeatMeter(now),

    /** Seconds since the first report, and newly watched ones, capped by the time passed. */
    async follow(
      viewerKey: string,
      { subject, watchedSeconds }: { subject: string; watchedSeconds: number },
    ): Promise<Followed> {
      const name = `${viewerKey} ${subject}`
      return isAlone ? followHere(name, watchedSeconds) : followTogether(name, watchedSeconds)
    },
  }
}
