import { copyFile, mkdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { atMost } from './goal.ts'
import { putLoad, trpcPath } from './request-load.ts'
import { largeClip, recording, seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'
import { complete, fileSize, initialize, register, sendChunks } from './upload.ts'

/** How quick the site stays while it takes an upload and encodes another. */
export const busy: Benchmark = {
  name: 'busy',
  title: 'The home list while one upload and one transcode run',
  async run(input) {
    const seeded = await seededSite(input)
    const [large, avi] = [
      await largeClip(input),
      await recording(input, { container: 'avi', seconds: 60 }),
    ]
    const dataFolder = join(input.workFolder, 'site')
    await mkdir(dataFolder)
    await copyFile(join(seeded, 'clutch.db'), join(dataFolder, 'clutch.db'))
    const site = await startSite(dataFolder)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const target = { origin: site.origin, cookie: await register(site.origin), agent }
      const send = async (path: string) => {
        const bytes = await fileSize(path)
        const uploadId = await initialize(target, bytes)
        await sendChunks(target, { path, uploadId, bytes })
        return uploadId
      }
      await complete(target, await send(avi))
      const list = { what: '', path: trpcPath('video.list', { limit: 24 }) }
      let isOver = false
      const uploading = (async () => {
        while (!isOver) await send(large)
      })()
      const load = await putLoad(site, { ...list, anew: false, seconds: input.seconds * 3 })
      isOver = true
      await uploading
      return [
        {
          ...{ row: 'home-busy', what: '24 videos, p99', unit: 'ms', ours: load.p99Ms },
          ...{ goal: atMost(40), floorName: null, floor: null },
          remark: `${Math.round(load.perSecond)} req/s`,
        },
      ]
    } finally {
      agent.destroy()
      await site.stop()
    }
  },
}
