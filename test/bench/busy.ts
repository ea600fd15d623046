import { copyFile, mkdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Benchmark, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { fromNewPlaces, newest } from './home-list.ts'
import { type Asked, putLoad } from './request-load.ts'
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
      let isOver = false
      const uploading = (async () => {
        while (!isOver) await send(large)
      })()
      const lists: Asked[] = [
        { what: 'the newest 24 videos, asked before, p99', path: newest },
        { what: '24 videos from a new place each time, p99', ...fromNewPlaces },
      ]
      const found: Measurement[] = []
      try {
        for (const list of lists) {
          const { p99Ms, perSecond } = await putLoad(site, { ...list, seconds: input.seconds * 3 })
          found.push({
            ...{ row: 'home-busy', what: list.what, unit: 'ms', ours: p99Ms },
            ...{ goal: atMost(80), floorName: null, floor: null },
            remark: `${Math.round(perSecond)} req/s`,
          })
        }
      } finally {
        isOver = true
        await uploading
      }
      return found
    } finally {
      agent.destroy()
      await site.stop()
    }
  },
}
