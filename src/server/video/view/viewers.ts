import { createHmac } from 'node:crypto'
import type { Lap } from '#server/platform/cluster/shared-stopwatches.ts'
import { createStopwatches } from '#server/platform/cluster/stopwatches.ts'
import type { Database } from '#server/platform/db/database.ts'
import { networkOf } from '#server/platform/request/client-address.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { createHeatMeter } from './heat.ts'

export type Asking = { viewer: Viewer | undefined; address: string; userAgent: string | null }
/** `network` begins the keys of all visitors from one address. */
type ViewerKey = { key: string; network?: string }

export type Viewers = ReturnType<typeof createViewers>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    viewers: Viewers
  }
}

/** @param clock monotonic milliseconds */
export function createViewers(db: Database, clock?: () => number) {
  const stopwatches = createStopwatches(db, clock)
  let secret: string | undefined

  async function digest(text: string): Promise<string> {
    secret ??= await findViewerSecret(db)
    return createHmac('sha256', secret).update(text).digest('base64url')
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
    heat: createHeatMeter(stopwatches.now),

    /**
     * Seconds since the viewer's first report of a video or clip, and watched ones since the last,
     * capped by the time between.
     */
    follow(
      viewerKey: string,
      { subject, watchedSeconds }: { subject: string; watchedSeconds: number },
    ): Promise<Lap> {
      return stopwatches.report(`${viewerKey} ${subject}`, watchedSeconds)
    },
  }
}
