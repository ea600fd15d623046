import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { DESKTOP } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { passOn, sendBack, startLocalServer } from '#test/support/proxy.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

const SECONDS = 60
/** Of what playing needs. */
const SPEED = 0.2
const PIECE_BYTES = 2000

const server = setUpHostedSite()
let slow: Awaited<ReturnType<typeof startSlowConnection>>
let videoId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const path = await makeClip({
    ...{ path: join(server.dataFolder, 'match.mp4'), width: 320, height: 240 },
    ...{ seconds: SECONDS, frameRate: 10, keyFrameSeconds: 2 },
  })
  videoId = await uploadClip(page, path, { title: 'The long match' })
  await page.context().close()
  const { size } = await stat(path)
  slow = await startSlowConnection((size / SECONDS) * SPEED)
})
afterAll(async () => {
  await slow.stop()
})

/** Hands on what the server answers; the bytes of a video only so many in a second. */
function startSlowConnection(bytesPerSecond: number) {
  return startLocalServer(({ asked, response }) =>
    passOn({ asked, response }, server.origin, {
      async answer(given) {
        if (!/^\/media\/.*\.mp4/.test(asked.url ?? '')) return sendBack(given, response)
        response.writeHead(given.statusCode ?? 502, given.headers)
        for await (const chunk of given as AsyncIterable<Buffer>) {
          for (let at = 0; at < chunk.length && !response.destroyed; at += PIECE_BYTES) {
            response.write(chunk.subarray(at, at + PIECE_BYTES))
            await sleep((PIECE_BYTES / bytesPerSecond) * 1000)
          }
          if (response.destroyed) break
        }
        response.end()
      },
    }),
  )
}

longTest(
  'a file that comes slowly is waited for, and nothing of it is asked for again',
  async () => {
    const context = await server.browser.newContext({
      baseURL: slow.origin,
      viewport: DESKTOP,
    })
    // The file alone, as where there are no renditions of it.
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'MediaSource'))
    const page = await context.newPage()
    const ranges: string[] = []
    page.on('request', (request) => {
      const { range } = request.headers()
      if (range && request.url().endsWith('.mp4')) ranges.push(range)
    })
    await page.goto(`/video/${videoId}`)
    const video = page.locator('[role="group"] video')
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true
      void element.play().catch(() => undefined)
    })
    const time = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
    await expect.poll(time, { timeout: 100_000 }).toBeGreaterThan(3)
    expect(await page.getByRole('heading', { name: 'Video playback error' }).count()).toBe(0)
    expect(ranges).toEqual([...new Set(ranges)])
    await context.close()
  },
)
