import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** A lease of a minute, and half of another for its next turn. */
export const GOES_ON_SECONDS_MAX = 90
const POLL_MS = 250

type Held = {
  id: number
  videoId: number
  attempt: number
  percent: number
  leaseUntil: string | null
}
type Seen = Held & { state: string; error: string | null }

/** Of one job that was under way when whoever had it was killed. */
export type Pause = { seconds: number; failure?: string }

/**
 * Waits until the jobs that were under way at a kill go on: done, given to another attempt or waiting for their turn again,
 * or, where it was the site that was killed, worked on further by the worker that has them. A deleted video's job ends with it.
 * @param workerId of the worker that was killed a moment ago; null for the site, which all jobs depend on
 */
export async function watchJobs(db: Database, workerId: number | null): Promise<Pause[]> {
  const killedAt = performance.now()
  const { rows } = await sql<Held>`SELECT id, "videoId", attempt, percent, "leaseUntil" FROM jobs
    WHERE state = 'running' AND (CAST(${workerId} AS bigint) IS NULL OR "workerId" = ${workerId})`.execute(
    db,
  )
  return Promise.all(
    rows.map(async (held) => {
      for (;;) {
        const seconds = (performance.now() - killedAt) / 1000
        const found = await sql<Seen>`SELECT id, state, error, attempt, percent, "leaseUntil"
          FROM jobs WHERE id = ${held.id}`.execute(db)
        const now = found.rows[0]
        // It goes with its video.
        if (await isDeleted(db, held.videoId)) return { seconds }
        if (!now) return { seconds, failure: `Job ${held.id} is lost.` }
        if (now.state === 'failed') {
          return { seconds, failure: `Job ${held.id} failed: ${now.error}` }
        }
        if (goesOn(held, { now, isOwnWorker: workerId === null })) return { seconds }
        if (seconds > GOES_ON_SECONDS_MAX) {
          const failure = `Job ${held.id} does not go on after ${GOES_ON_SECONDS_MAX} s.`
          return { seconds, failure }
        }
        await pause(POLL_MS)
      }
    }),
  )
}

async function isDeleted(db: Database, videoId: number): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM videos
    WHERE id = ${videoId} AND "processingState" <> 'deleting'`.execute(db)
  return rows.length === 0
}

function goesOn(held: Held, { now, isOwnWorker }: { now: Seen; isOwnWorker: boolean }): boolean {
  if (now.state !== 'running' || now.attempt > held.attempt) return true
  if (!isOwnWorker) return false
  return now.percent > held.percent || (now.leaseUntil ?? '') > (held.leaseUntil ?? '')
}

/** Looks on while kills go on: a job that is due is taken by somebody sooner or later. @returns ends it, with the longest seconds without */
export function watchQueue(db: Database): () => Promise<number> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    let servedAt = performance.now()
    let latest: string | null = null
    while (!isOver) {
      const { rows } = await sql<{ startedAt: string | null; waiting: number }>`
        SELECT max("startedAt") AS "startedAt", count(*) FILTER (WHERE state = 'queued') AS waiting
        FROM jobs`.execute(db)
      const { startedAt = null, waiting = 0 } = rows[0] ?? {}
      if (startedAt !== latest || waiting === 0) servedAt = performance.now()
      latest = startedAt
      longest = Math.max(longest, (performance.now() - servedAt) / 1000)
      await pause(POLL_MS)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return longest
  }
}
