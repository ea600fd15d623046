import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmptyDatabase, dropDatabase } from './postgres-databases.ts'
import { startS3Server } from './s3-server.ts'
import { type ServerProcess, startServer } from './server-process.ts'

export type SiteNodes = Awaited<ReturnType<typeof openNodes>>
type NodeOptions = Parameters<typeof startServer>[0]

/** A new database and bucket, and the processes that are started on them. */
export async function openNodes() {
  const url = await createEmptyDatabase()
  const store = await startS3Server()
  const folder = await mkdtemp(join(tmpdir(), 'clutch-nodes-'))
  const started: ServerProcess[] = []
  let count = 0
  return {
    url,
    folder,
    /** What the bucket's server has. */
    storeFolder: store.directory,

    async start(options: NodeOptions = {}): Promise<ServerProcess> {
      const node = await startServer({
        ...options,
        dataFolder: options.dataFolder ?? join(folder, `node-${++count}`),
        env: { ...store.mediaVariables('nodes'), DATABASE_URL: url, ...options.env },
      })
      started.push(node)
      return node
    },

    async close(): Promise<void> {
      for (const node of started) await node.stop('SIGKILL')
      await store.stop()
      await dropDatabase(url)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
