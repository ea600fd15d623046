import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startS3Server } from '#test/support/s3-server.ts'
import { type Benchmark, type BenchmarkInput, type Measurement, secondsOf } from '../benchmark.ts'
import { atMost } from '../goal.ts'
import { openNewcomer, secondsToFirstFrame, withBrowser } from '../playback-page.ts'
import { largeClip, largeClipToPrepare } from '../seeded-site.ts'
import { startSite } from '../server-child.ts'
import { openShapedLine } from '../shaped-line.ts'
import { complete, fileSize, initialize, register, sendChunks } from '../upload.ts'
import { openWorkerScene, untilReady } from './worker-scene.ts'

/** 1 Gb/s. */
const LINE = { bytesPerSecond: 125_000_000, roundTripMs: 20 }
const POLL_MS = 50

/** The worker and the viewer share the line to the site; the store is beside the site. */
export const remotePlayable: Benchmark = {
  name: 'remote-playable',
  title:
    'From the completion of a 500 MB upload to its first frame, with a worker over 1 Gb/s and 20 ms',
  long: true,
  async run(input) {
    const files = [
      { path: await largeClip(input), what: 'that plays as it is' },
      { path: await largeClipToPrepare(input), what: 'whose sound the worker has to encode' },
    ]
    const measurements: Measurement[] = []
    const store = await startS3Server()
    try {
      for (const { path, what } of files) {
        measurements.push(await measure(input, { path, what }))
        const variables = store.mediaVariables(`bench-${what.length}`)
        const settings = { ...input.settings, ...variables }
        const inStore = { path, what: `${what}, in object storage` }
        measurements.push(await measure({ ...input, settings }, inStore))
      }
      return measurements
    } finally {
      await store.stop()
    }
  },
}

async function measure(
  { settings, workFolder, note }: BenchmarkInput,
  { path, what }: { path: string; what: string },
): Promise<Measurement> {
  const dataFolder = join(workFolder, `site-${what.length}`)
  const site = await startSite(dataFolder, { settings: { PROCESSING_JOBS: '0', ...settings } })
  const line = await openShapedLine(site.port, LINE)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const scene = openWorkerScene(dataFolder, workFolder)
  try {
    const { origin } = line
    const cookie = await register(site.origin)
    const bytes = await fileSize(path)
    // What travels before is not measured, and need not take as long.
    const near = { origin: site.origin, cookie, agent }
    const uploadId = await initialize(near, bytes)
    await sendChunks(near, { path, uploadId, bytes })
    const worker = await scene.addWorker(origin)
    await untilReady(worker)
    const times = await withBrowser(async (browser) => {
      const page = await openNewcomer(browser, { origin })
      let videoId = 0
      const completion = await secondsOf(async () => {
        videoId = await complete({ origin, cookie, agent }, uploadId)
      })
      const preparation = await secondsOf(() => untilReadyToPlay({ origin, cookie }, videoId))
      await page.goto(`/video/${videoId}`)
      return { completion, preparation, start: await secondsToFirstFrame(page) }
    })
    for (const line of worker.output().split('\n')) if (line.includes('done')) note(`  ${line}`)
    const { completion, preparation, start } = times
    return {
      ...{ row: 'remote-playable', what: `500 MB ${what}`, unit: 's' },
      ...{ ours: completion + preparation + start, goal: atMost(15) },
      ...{ floorName: 'the file over this line once', floor: bytes / LINE.bytesPerSecond },
      remark: `${completion.toFixed(1)} s of it complete, ${preparation.toFixed(1)} s until it is ready`,
    }
  } finally {
    agent.destroy()
    await scene.close()
    await line.close()
    await site.stop()
  }
}

/** As its owner: others do not see it before. */
async function untilReadyToPlay(
  { origin, cookie }: { origin: string; cookie: string },
  videoId: number,
): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/api/videos/${videoId}`, { headers: { cookie } })
    const { processingState } = (await answer.json()) as { processingState: string }
    if (processingState === 'ready') return
    if (processingState === 'failed') throw new Error('The video could not be prepared.')
    await pause(POLL_MS)
  }
}
