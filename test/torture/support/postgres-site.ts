import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '#test/support/postgres-server.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3rver } from './s3rver-process.ts'
import { FULL_SITE, seedFolder } from './seeded-folder.ts'
import { restartStore } from './store-server.ts'
import type { Variables } from './tried-site.ts'

export type PostgresSite = {
  dataFolder: string
  env: Variables
  /** As that of the store. */
  restartStore: () => Promise<void>
  stop: () => Promise<void>
}

/** A seeded site that has moved to PostgreSQL, with its media in an S3 store, and the processes of both. */
export async function openPostgresSite(folder: string, sizes = FULL_SITE): Promise<PostgresSite> {
  const store = await startS3rver(join(folder, 'store'))
  // What was committed has to outlive the process that is killed.
  const database = await startPostgres({ synchronous_commit: 'on' })
  const seeded = join(folder, 'seeded')
  await seedFolder(seeded, sizes)
  const { code, err } = await runCommand('move-database', {
    dataFolder: seeded,
    args: [seeded, database.url],
  })
  if (code !== 0) throw new Error(`The site could not be moved: ${err}`)
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder)
  return {
    dataFolder,
    env: { ...store.mediaVariables('site'), DATABASE_URL: database.url },
    restartStore: () => restartStore(store),
    async stop() {
      await store.stop()
      await database.stop()
    },
  }
}
