import { Agent } from 'node:http'
import { join } from 'node:path'
import { type Benchmark, secondsOf } from '../benchmark.ts'
import { atMost } from '../goal.ts'
import { openNewcomer, secondsToFirstFrame, withBrowser } from '../playback-page.ts'
import { largeClip } from '../seeded-site.ts'
import { startSite } from '../server-child.ts'
import { complete, fileSize, initialize, register, sendChunks } from '../upload.ts'
import { openShapedLine } from './shaped-line.ts'
import { openWorkerScene, untilReady } from './worker-scene.ts'

/** 1 Gb/s. */
const LINE = { bytesPerSecond: 125_000_000, roundTripMs: 20 }

/** The worker fetches the recording over the same line on which the viewer waits for the first frame. */
export const remotePlayable: Benchmark = {
  name: 'remote-playable',
  title:
    'From the completion of a 500 MB upload to its first frame, over 1 Gb/s and 20 ms, with a remote worker',
  long: true,
  async run({ settings, workFolder, note }) {
    const path = await largeClip({ note })
    const dataFolder = join(workFolder, 'site')
    const site = await startSite(dataFolder, { settings: { PROCESSING_JOBS: '0', ...settings } })
    const line = await openShapedLine(site.port, LINE)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const { origin } = line
      const cookie = await register(site.origin)
      const bytes = await fileSize(path)
      // What travels before is not measured, and need not take as long.
      const near = { origin: site.origin, cookie, agent }
      const uploadId = await initialize(near, bytes)
      await sendChunks(near, { path, uploadId, bytes })
      const scene = openWorkerScene(dataFolder, workFolder)
      const worker = await scene.addWorker(origin)
      await untilReady(worker)
      const measurements = await withBrowser(async (browser) => {
        const page = await openNewcomer(browser, { origin })
        let videoId = 0
        const completion = await secondsOf(async () => {
          videoId = await complete({ origin, cookie, agent }, uploadId)
        })
        await page.goto(`/video/${videoId}`)
        const start = await secondsToFirstFrame(page)
        const store = settings.MEDIA_STORE ? 'object storage' : 'a folder'
        return [
          {
            ...({ row: 'remote-playable', what: `a 500 MB upload plays, ${store}` } as const),
            ...({ unit: 's', ours: completion + start, goal: atMost(15) } as const),
            ...{ floorName: '500 MB over this line once', floor: bytes / LINE.bytesPerSecond },
            remark: `${completion.toFixed(2)} s of it complete; a worker fetches it meanwhile`,
          },
        ]
      })
      await worker.end('SIGKILL')
      await scene.close()
      return measurements
    } finally {
      agent.destroy()
      await line.close()
      await site.stop()
    }
  },
}
