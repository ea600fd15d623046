import { copyFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { syncFile } from '#server/platform/durable-files.ts'
import { type Benchmark, secondsOf } from './benchmark.ts'
import { atMost } from './goal.ts'
import { openNewcomer, secondsToFirstFrame, withBrowser } from './playback-page.ts'
import { largeClip } from './seeded-site.ts'
import type { Target } from './send-chunk.ts'
import { startSite } from './server-child.ts'
import { complete, fileSize, initialize, register, sendChunks } from './upload.ts'

export const playable: Benchmark = {
  name: 'playable',
  title: 'From the completion of a 500 MB upload to its first frame',
  async run(input) {
    const path = await largeClip(input)
    const copySeconds = await secondsOf(async () => {
      const copy = join(input.workFolder, 'copy.mp4')
      await copyFile(path, copy)
      await syncFile(copy)
    })
    const site = await startSite(join(input.workFolder, 'site'))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const { origin } = site
      const target: Target = { origin, cookie: await register(origin), agent }
      const bytes = await fileSize(path)
      const uploadId = await initialize(target, bytes)
      await sendChunks(target, { path, uploadId, bytes })
      return await withBrowser(async (browser) => {
        const page = await openNewcomer(browser, { origin })
        let videoId = 0
        const completion = await secondsOf(async () => {
          videoId = await complete(target, uploadId)
        })
        await page.goto(`/video/${videoId}`)
        const start = await secondsToFirstFrame(page)
        return [
          {
            ...{
              row: 'playable',
              what: 'a 500 MB upload plays',
              unit: 's',
              ours: completion + start,
            },
            ...{ floorName: 'cp and fsync', floor: copySeconds },
            goal: atMost(2),
            remark: `${completion.toFixed(2)} s of it complete`,
          },
        ]
      })
    } finally {
      agent.destroy()
      await site.stop()
    }
  },
}
