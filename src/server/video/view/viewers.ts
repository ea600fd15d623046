import { createHmac } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'
import { networkOf } from '#server/platform/http/connection/client-address.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { createHeatMeter } from './heat.ts'
import { deleteIdleWatching, type Followed, followInRows } from './watching.queries.ts'

const REMEMBERED_MAX = 20_000
/** Rows that nothing was reported of for so long are deleted, as often. */
const IDLE_MS = 6 * 3600 * 1000

/** Who watches: the account, or for a visitor the address and the browser. */
export type Asking = { viewer: Viewer | undefined; address: string; userAgent: string | null }
/** `network` is what the keys of all visitors from one address begin with. */
type ViewerKey = { key: string; network?: string }

/**
 * Distinguishes viewers, and remembers since when each watches what: in memory, which a restart forgets, or in rows where
 * several processes are told.
 */
export type Viewers = ReturnType<typeof createViewers>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    viewers: Viewers
  }
}

/** @param given the present in milliseconds, of a clock that is never set back, or that processes share */
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
      // A page opened again counts from nothing.
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
    /** A name for the viewer from which no address can be read. */
    async keyOf({ viewer, address, userAgent }: Asking): Promise<ViewerKey> {
      if (viewer) return { key: `member-${viewer.id}` }
      const home = networkOf(address)
      const network = `visitor-${(await digest(home)).slice(0, 22)}`
      const browser = (await digest(`${home} ${userAgent ?? ''}`)).slice(0, 11)
      return { key: `${network}-${browser}`, network }
    },
    heat: createHeatMeter(now),

    /**
     * Seconds since the viewer's first report about a video or a clip, 0 for the first itself, and those watched
     * since the last one, as the viewer says, but never more than have passed.
     */
    async follow(
      viewerKey: string,
      { subject, watchedSeconds }: { subject: string; watchedSeconds: number },
    ): Promise<Followed> {
      const name = `${viewerKey} ${subject}`
      return isAlone ? followHere(name, watchedSeconds) : followTogether(name, watchedSeconds)
    },
  }
}
