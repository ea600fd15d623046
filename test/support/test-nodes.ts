import { type Config, readConfig } from '#server/platform/config.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import type { RemoteLimits } from '#server/video/worker/remote-work.ts'
import { createMigratedDatabase, dropDatabase } from './postgres-databases.ts'
import { startS3Server } from './s3-server.ts'
import { openTestSite, type TestSite } from './test-site.ts'

export type TestNodes = Awaited<ReturnType<typeof openTestNodes>>

/**
 * Two nodes of a site in this process, as far as rows, the line and the store go: one database on PostgreSQL, one bucket, a
 * data folder for each. Nothing listens, and no job is taken before it is said.
 */
export async function openTestNodes(
  settings: Partial<Config> = {},
  remoteLimits: Partial<RemoteLimits> = {},
) {
  const databaseUrl = await createMigratedDatabase()
  const bucket = await startS3Server()
  const { media } = readConfig(bucket.mediaVariables('nodes'))
  const db = openPostgresDatabase(databaseUrl)
  const opened: TestSite[] = []
  const open = async (): Promise<TestSite> => {
    const shared = { databaseUrl, media, renditionHeights: [180] }
    const node = await openTestSite({ ...shared, ...settings }, { remoteLimits })
    opened.push(node)
    return node
  }
  return {
    databaseUrl,
    bucket,
    one: await open(),
    other: await open(),
    /** A further one. */
    open,

    listJobs: () => db.selectFrom('jobs').selectAll().orderBy('id').execute(),

    async close(): Promise<void> {
      for (const node of opened) await node.close()
      await db.destroy()
      await bucket.stop()
      await dropDatabase(databaseUrl)
    },
  }
}
