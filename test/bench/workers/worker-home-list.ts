import { spawnSync } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { shortRoundSeconds } from '../benchmark.ts'
import { atMostTimes } from '../goal.ts'
import { fromNewPlaces, newest } from '../home-list.ts'
import { type Asked, putLoad } from '../request-load.ts'
import { recording, seededSite } from '../seeded-site.ts'
import { startSite } from '../server-child.ts'
import { complete, fileSize, initialize, register, sendChunks } from '../upload.ts'
import { openWorkerScene, signalWorker, untilReady } from './worker-scene.ts'

const LADDERS = 4
const VIDEOS = 8
/** Many short ones: what else the machine does then meets both alike. */
const PAIRS = 15
const POLL_MS = 100

/** How quick the site stays while others prepare its videos: the same load with and without. */
export const workerHomeList: Benchmark = {
  name: 'worker-home',
  title: `The home list while ${LADDERS} ladders run elsewhere`,
  long: true,
  async run(input) {
    const seeded = await seededSite(input)
    const path = await recording(input, { container: 'mp4', seconds: 30 })
    const dataFolder = join(input.workFolder, 'site')
    await mkdir(dataFolder)
    await copyFile(join(seeded, 'clutch.db'), join(dataFolder, 'clutch.db'))
    const site = await startSite(dataFolder, { settings: { PROCESSING_JOBS: '0' } })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const scene = openWorkerScene(dataFolder, input.workFolder)
    try {
      // The demo's own jobs, if there are any, are not what is measured.
      await scene.db.deleteFrom('jobs').execute()
      const target = { origin: site.origin, cookie: await register(site.origin), agent }
      const bytes = await fileSize(path)
      for (let video = 0; video < VIDEOS; video++) {
        const uploadId = await initialize(target, bytes)
        await sendChunks(target, { path, uploadId, bytes })
        await complete(target, uploadId)
      }
      const worker = await scene.addWorker(site.origin, ['--jobs', String(LADDERS)])
      // As if the worker were another machine.
      const isApart = pinTo(site.pid, 0) && pinTo(process.pid, 0) && pinTo(worker.pid, 1)
      if (!isApart) input.note('  site and worker share the cores of this machine')
      await untilReady(worker)
      const runLadders = async () => {
        signalWorker(worker, 'SIGCONT')
        for (;;) {
          await scene.requeueDone()
          if ((await scene.countRunning()) === LADDERS) return
          await pause(POLL_MS)
        }
      }
      const lists: Asked[] = [
        { what: 'the newest 24 videos, asked before, p99', path: newest },
        { what: '24 videos from a new place each time, p99', ...fromNewPlaces },
      ]
      const found = []
      for (const list of lists) {
        const seconds = shortRoundSeconds(input)
        await putLoad(site, { ...list, seconds })
        const idle: number[] = []
        const busy: number[] = []
        for (let round = 0; round < PAIRS; round++) {
          signalWorker(worker, 'SIGSTOP')
          idle.push((await putLoad(site, { ...list, seconds })).p99Ms)
          await runLadders()
          busy.push((await putLoad(site, { ...list, seconds })).p99Ms)
        }
        found.push({
          ...({ row: 'worker-home', what: list.what, unit: 'ms', ours: median(busy) } as const),
          ...{ floorName: 'no ladder runs', floor: median(idle), goal: atMostTimes(1.3) },
          remark: isApart
            ? 'site and clients on one core, the worker on another'
            : 'site and worker on the same cores',
        })
      }
      return found
    } finally {
      unpin(process.pid)
      agent.destroy()
      await scene.close()
      await site.stop()
    }
  },
}

/** Keeps a process with all its threads, and what it starts from now on, on one core. @returns false where that cannot be */
function pinTo(pid: number, core: number): boolean {
  const isThere = core < cpus().length
  return isThere && spawnSync('taskset', ['-acp', String(core), String(pid)]).status === 0
}

function unpin(pid: number): void {
  spawnSync('taskset', ['-acp', `0-${cpus().length - 1}`, String(pid)])
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
