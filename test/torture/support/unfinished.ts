import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openTriedSite, type Variables } from './tried-site.ts'

const TIMEOUT_MS = 180_000
const POLL_MS = 100

/**
 * Waits until a running site has finished all that a crash interrupted.
 * @returns what is still there after three minutes, a sentence each
 */
export async function waitUntilFinished(dataFolder: string, env?: Variables): Promise<string[]> {
  const deadline = performance.now() + TIMEOUT_MS
  const db = openTriedSite(dataFolder, env)
  try {
    for (;;) {
      const { rows } = await sql<{ what: string; count: number }>`
        SELECT 'jobs that wait or run' AS what, count(*) AS count FROM jobs
          WHERE state IN ('queued', 'running')
        UNION ALL SELECT 'uploads being finished', count(*) FROM uploads WHERE state = 'finalizing'
        UNION ALL SELECT 'videos being deleted', count(*) FROM videos
          WHERE "processingState" = 'deleting'
            AND NOT EXISTS (SELECT 1 FROM cuts WHERE cuts."videoId" = videos.id AND "parkedAt" IS NOT NULL)
        UNION ALL SELECT 'accounts being deleted', count(*) FROM users WHERE deletion IS NOT NULL
      `.execute(db)
      const left = rows.filter(({ count }) => count > 0)
      if (left.length === 0) return []
      if (performance.now() > deadline) {
        const jobs = await sql`SELECT * FROM jobs
          WHERE state IN ('queued', 'running')`.execute(db)
        return [
          ...left.map(({ what, count }) => `Stuck: ${count} ${what}.`),
          ...jobs.rows.map((row) => `Stuck: ${JSON.stringify(row)}`),
        ]
      }
      await pause(POLL_MS)
    }
  } finally {
    await db.destroy()
  }
}
