import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { childFolder } from '#test/support/child-environment.ts'
import { startPostgres } from '#test/support/postgres-server.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import type { BenchmarkInput } from '../benchmark.ts'
import { seededSite } from '../seeded-site.ts'
import { readCpuSeconds, type ServerChild, startSite } from '../server-child.ts'

const COMMAND = join(import.meta.dirname, '..', '..', '..', 'src', 'server', 'command')
/** As for a machine of its own with 4 GB, and durable. */
const SETTINGS = {
  ...{ shared_buffers: '1GB', effective_cache_size: '3GB', work_mem: '16MB' },
  ...{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', max_wal_size: '4GB' },
  ...{ autovacuum: 'on', random_page_cost: '1.1' },
}

/** A PostgreSQL server with seeded sites that were moved there as an admin moves one. */
export type PostgresScene = Awaited<ReturnType<typeof openPostgresScene>>

export async function openPostgresScene({
  workFolder,
  note,
}: Pick<BenchmarkInput, 'workFolder' | 'note'>) {
  const server = await startPostgres(SETTINGS)
  const store = await startS3Server()
  const nodes: ServerChild[] = []
  return {
    /** @returns the address of the database, and the data folder that it was moved from */
    async moveSite(videos: number): Promise<{ url: string; dataFolder: string }> {
      const dataFolder = await seededSite({ videos, note })
      const url = new URL(server.url)
      url.pathname = `/site_${videos}`
      await ask(server.url, `CREATE DATABASE "site_${videos}" TEMPLATE "template0"`)
      note(`Moving ${videos} videos to PostgreSQL …`)
      await moveDatabase(dataFolder, url.href)
      // What it was moved from is used again.
      await moveDatabase('--undo', dataFolder)
      await ask(url.href, 'VACUUM (ANALYZE)')
      // Else what is measured first waits for the disk.
      await ask(url.href, 'CHECKPOINT')
      return { url: url.href, dataFolder }
    },

    async startNode(url: string): Promise<ServerChild> {
      // A place of a store belongs to one site.
      const place = store.mediaVariables(new URL(url).pathname.slice(1))
      const settings = { ...place, DATABASE_URL: url, PROCESSING_JOBS: '0' }
      const node = await startSite(join(workFolder, `node-${nodes.length}`), { settings })
      nodes.push(node)
      return node
    },

    /** Processor time that PostgreSQL has used. */
    cpuSeconds: () => cpuSecondsBelow(server.pid()),

    async stop(): Promise<void> {
      await Promise.all(nodes.map((node) => node.stop()))
      await server.stop()
      await store.stop()
    },
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function moveDatabase(...words: [string, string]): Promise<void> {
  const child = spawn(process.execPath, [join(COMMAND, 'move-database.ts'), ...words], {
    cwd: childFolder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The site could not be moved.')
}

/** Of the processes that a process started, and those that they did, which are alive. */
async function cpuSecondsBelow(pid: number): Promise<number> {
  const all = await Promise.all((await readdir('/proc')).filter(Number).map(readParent))
  const below = new Set([pid])
  for (let size = 0; size !== below.size; ) {
    size = below.size
    for (const { child, parent } of all) if (below.has(parent)) below.add(child)
  }
  const seconds = await Promise.all([...below].map(readCpuSeconds))
  return seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0)
}

async function readParent(name: string): Promise<{ child: number; parent: number }> {
  const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return { child: Number(name), parent: Number(fields[1]) }
}
