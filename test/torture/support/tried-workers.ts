import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker, type WorkerProcess } from '#test/support/worker-process.ts'
import { resultOf, type SiteClient } from './site-client.ts'

const WORKERS = 2

export type TriedWorker = {
  id: number
  start: (env?: Record<string, string>) => WorkerProcess
  process: WorkerProcess
}

/** Adds two workers to a site and starts them, each in a folder of its own within `folder`. */
export async function startWorkers(
  admin: SiteClient,
  { origin, folder }: { origin: string; folder: string },
): Promise<TriedWorker[]> {
  const workers: TriedWorker[] = []
  for (let index = 1; index <= WORKERS; index++) {
    const made = await admin.call('worker.create', { name: `worker ${index}` })
    if (made?.status !== 200) throw new Error(`No worker could be made: ${made?.text}`)
    const { id, token } = resultOf<{ id: number; token: string }>(made)
    const own = join(folder, `worker-${index}`)
    await mkdir(own, { recursive: true })
    const start: TriedWorker['start'] = (env = {}) =>
      startWorker({ origin, token, args: ['--folder', own], env })
    workers.push({ id, start, process: start() })
  }
  return workers
}
