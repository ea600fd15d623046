import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startBalancer } from '#test/support/balancer.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { createSiteClient } from './site-client.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'
import { startWorkers } from './tried-workers.ts'

const NODES = 2

type Node = { start: () => Promise<SiteProcess>; process: SiteProcess }

/** Nodes of a new site behind a proxy, and workers that reach them through it. */
export async function openClusterScene(folder: string, env: Record<string, string>) {
  const nodes: Node[] = []
  for (let index = 1; index <= NODES; index++) {
    const place = { dataFolder: join(folder, `node-${index}`), port: await findFreePort() }
    await mkdir(place.dataFolder, { recursive: true })
    const settings = { ...env, PROCESSING_JOBS: String(index - 1), RENDITIONS: '144' }
    const start = async () => {
      for (;;) {
        const node = await startSiteProcess({ ...place, env: settings })
        if (node.answered) return node
        // Whoever runs it starts it again, when the store or the database was away.
        const said = node.output.join('')
        if (!/(MEDIA_STORE|DATABASE_URL)/.test(said)) throw new Error(`It did not start:\n${said}`)
        await node.kill()
      }
    }
    nodes.push({ start, process: await start() })
  }
  const origins = nodes.map((node) => node.process.origin)
  const balancer = await startBalancer(origins, { looks: true })
  const admin = createSiteClient(balancer.origin)
  await admin.register('admin', await findCode(nodes))
  await admin.confirmPassword()
  const workers = await startWorkers(admin, { origin: balancer.origin, folder })
  return {
    ...{ nodes, workers, balancer, admin },
    async end(): Promise<void> {
      for (const worker of workers) await worker.process.end('SIGKILL')
      for (const node of nodes) await node.process.kill()
      await balancer.stop()
    },
  }
}

/** That of the node that started last: each start makes another. */
async function findCode(nodes: Node[]): Promise<string> {
  return (await nodes.at(-1)?.process.setupCode()) ?? ''
}
