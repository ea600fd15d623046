import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { upload } from '#test/torture/load/uploads.ts'
import { prepareOrder, register, sendTraffic } from '#test/torture/load/visitors.ts'
import { startSiteProcess } from '#test/torture/support/site-process.ts'

// The long form, on a large site and with limits of time: npm run torture -- --only load

const SECONDS = 2
const PER_SECOND = 40
const KINDS = 11

longTest(
  'visitors who do all that visitors do, and an upload meanwhile, are all answered',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clutch-load-'))
    const dataFolder = join(folder, 'data')
    const clip = join(folder, 'clip.mp4')
    await makeClip({ path: clip, width: 256, height: 144, seconds: 1 })
    const sizes = ['--users', '20', '--videos', '60', '--comments', '100']
    const seeded = await runCommand('seed', { dataFolder, args: [...sizes, '--media', clip] })
    expect(seeded).toMatchObject({ code: 0 })
    const server = await startSiteProcess({ dataFolder })
    try {
      expect(server.answered, server.output.join('')).toBe(true)
      const { origin } = server
      const order = await prepareOrder(origin, { visitors: 10, members: 4, perSecond: PER_SECOND })
      const cookie = await register(origin, 'uploader')
      const uploader = { origin, cookie, signal: new AbortController().signal }
      const record = { chunkTimes: [], completeTimes: [], failures: [] }
      const file = await readFile(clip)
      const [{ times, failures }, videoId] = await Promise.all([
        sendTraffic({ ...order, seed: 1, seconds: SECONDS }),
        upload(uploader, { file, fileName: 'clip.mp4', record, paced: true }),
      ])
      expect(failures).toEqual([])
      expect(Object.keys(times)).toHaveLength(KINDS)
      expect(Object.values(times).flat()).toHaveLength(SECONDS * PER_SECOND)
      expect(videoId).toBeGreaterThan(0)
    } finally {
      await server.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
)
