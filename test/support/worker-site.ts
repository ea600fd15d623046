import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import type { RemoteLimits } from '#server/video/worker/remote-work.ts'
import { makeClip } from './clips.ts'
import { openTestSite } from './test-site.ts'
import { complete, sendFile } from './upload-client.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

type KnownWorker = {
  id: number
  jobsDone: number
  lastError: string | null
  drainedAt: string | null
}

export type WorkerSite = Awaited<ReturnType<typeof openWorkerSite>>

/** A site that prepares nothing itself and listens, with a member and an admin. Its workers' leases take 2 s. */
export async function openWorkerSite(
  settings: Partial<Config> = {},
  remoteLimits: Partial<RemoteLimits> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-workers-'))
  const site = await openTestSite(
    { processingJobs: 0, renditionHeights: [180], ...settings },
    { remoteLimits: { leaseMs: 2000, ...remoteLimits } },
  )
  const ann = await site.addMember('ann')
  const admin = await site.addMember('ada', { isAdmin: true })
  const origin = await site.app.listen({ host: '127.0.0.1', port: 0 })
  await site.deps.jobs.start()
  const started: WorkerProcess[] = []

  return {
    site,
    ann,
    admin,
    origin,
    /** Of the workers, for what they have meanwhile. */
    folder,

    /** @returns the id of the new video of the member */
    async upload(path: string): Promise<number> {
      const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.avi' })
      return (await complete({ site, as: ann }, { uploadId })).json().videoId
    },

    /** Starts a worker's process, by way of `at` if the site is reached elsewhere. */
    start(token: string, { at = origin, args = [] }: { at?: string; args?: string[] } = {}) {
      const worker = startWorker({ origin: at, token, args: ['--folder', folder, ...args] })
      started.push(worker)
      return worker
    },

    listJobs: () => site.db.selectFrom('jobs').selectAll().orderBy('id').execute(),

    async listWorkers(): Promise<KnownWorker[]> {
      const answer = await site.get('/trpc/worker.list', { as: admin })
      return answer.json().result.data.workers
    },

    async close(): Promise<void> {
      for (const worker of started) await worker.end('SIGKILL')
      await site.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Makes recordings that do not play as they are, each so many seconds long, in `folder`. */
export async function makeRecordings(folder: string, lengths: number[]): Promise<void> {
  const codecs = { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  for (const seconds of lengths) {
    await makeClip({ path: join(folder, `${seconds}.avi`), seconds, ...codecs })
  }
}

export const isDone = ({ state }: { state: string }) => state === 'done'
