import { Agent } from 'node:http'
import { join } from 'node:path'
import { makeClip } from '#test/support/clips.ts'
import type { WorkerProcess } from '#test/support/worker-process.ts'
import { type Benchmark, takeTurns } from '../benchmark.ts'
import { atLeastTimes } from '../goal.ts'
import { type ServerChild, startSite } from '../server-child.ts'
import { complete, fileSize, initialize, register, sendChunks } from '../upload.ts'
import { openQuota } from './processor-quota.ts'
import { openWorkerScene, untilLaddersDone, untilReady, type WorkerScene } from './worker-scene.ts'

const VIDEOS = 6
const CLIP = { width: 960, height: 540, seconds: 10, frameRate: 30, noise: 6 }
/** Of one core, for each worker: two of them, the site and this program fit on two cores. */
const CORES = 0.3
const ROUNDS = 2
/** Until the first ladder is due: the workers ask for it by then. */
const DUE_SECONDS = 2

export const workerLadders: Benchmark = {
  name: 'worker-ladders',
  title: `Ladders of two workers beside one, ${CORES * 100} % of a core each`,
  long: true,
  async run({ workFolder, note }) {
    const path = await makeClip({ path: join(workFolder, 'clip.mp4'), ...CLIP })
    const dataFolder = join(workFolder, 'site')
    const settings = { PROCESSING_JOBS: '0', RENDITIONS: '540,360' }
    const site = await startSite(dataFolder, { settings })
    const scene = openWorkerScene(dataFolder, workFolder)
    try {
      await fillSite(site, path)
      const rates = await takeTurns(
        {
          one: () => laddersAnHour({ scene, origin: site.origin, workers: 1, note }),
          two: () => laddersAnHour({ scene, origin: site.origin, workers: 2, note }),
        },
        (rate) => rate,
        ROUNDS,
      )
      return [
        {
          ...{ row: 'worker-ladders', what: 'ladders by two workers', unit: '/h', ours: rates.two },
          ...{ floorName: 'by one worker', floor: rates.one, goal: atLeastTimes(1.9) },
          remark: `${VIDEOS} recordings of ${CLIP.seconds} s in ${CLIP.height}p, ${CORES * 100} % of a core a worker`,
        },
      ]
    } finally {
      await scene.close()
      await site.stop()
    }
  },
}

/** Sends a recording again and again, which plays as it is. */
async function fillSite(site: ServerChild, path: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const target = { origin: site.origin, cookie: await register(site.origin), agent }
  const bytes = await fileSize(path)
  for (let video = 0; video < VIDEOS; video++) {
    const uploadId = await initialize(target, bytes)
    await sendChunks(target, { path, uploadId, bytes })
    await complete(target, uploadId)
  }
  agent.destroy()
}

async function laddersAnHour(input: {
  scene: WorkerScene
  origin: string
  workers: number
  note: (line: string) => void
}): Promise<number> {
  const { scene, origin, workers, note } = input
  // Not before they are there.
  await scene.queueLadders(300)
  const processes: WorkerProcess[] = []
  const quotas: Awaited<ReturnType<typeof openQuota>>[] = []
  for (let index = 0; index < workers; index++) {
    const worker = await scene.addWorker(origin)
    const quota = await openQuota(`${index}`, CORES)
    await quota.add(worker.pid)
    processes.push(worker)
    quotas.push(quota)
  }
  await Promise.all(processes.map(untilReady))
  const dueAt = await scene.queueLadders(DUE_SECONDS)
  const endedAt = await untilLaddersDone(scene.db)
  const seconds = (endedAt - dueAt) / 1000
  await Promise.all(processes.map((worker) => worker.end('SIGTERM')))
  await Promise.all(quotas.map((quota) => quota.remove()))
  note(`  ${workers}: ${VIDEOS} ladders in ${seconds.toFixed(1)} s`)
  return (VIDEOS / seconds) * 3600
}
