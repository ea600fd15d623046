import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { installMixProbe, PROBE_INPUT } from '#test/support/mix-probe.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = isLongForm ? 600 : 40
const SEEKS = isLongForm ? 100 : 8

const server = setUpHostedSite({ env: { RENDITIONS: '240,144' } })
let id: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const path = await makeClip({
    path: join(server.dataFolder, 'pulses.mp4'),
    ...{ width: 320, height: 240, frameRate: 30, seconds: SECONDS, keyFrameSeconds: 2 },
    pulses: true,
    audioTracks: 3,
    audioHandlers: ['Game', 'Mic', 'Music'],
  })
  id = await uploadClip(page, path, { title: 'Pulses' })
  await until(
    async () => {
      const answer = await page.request.get(`/api/videos/${id}`)
      return ((await answer.json()) as { hlsUrl: string | null }).hlsUrl !== null
    },
    { timeoutMs: 110_000 },
  )
  await page.context().close()
})

async function openMixer(page: Page) {
  const player = page.getByRole('group', { name: 'Video player' })
  await player.getByRole('button', { name: 'Settings' }).press('Enter')
  await player.getByRole('menuitem', { name: /^Sound mix/ }).press('Enter')
  return player.getByRole('region', { name: 'Sound mix' })
}

async function watch() {
  const { page, problems } = await server.open({ isNew: true })
  await page.addInitScript(installMixProbe, PROBE_INPUT)
  await page.goto(`/video/${id}`)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.play())
  return { page, problems }
}

test('tracks and picture stay together, also over seeks', async () => {
  const { page, problems } = await watch()
  const mixer = await openMixer(page)
  await mixer.getByRole('button', { name: 'Mute Mic' }).click()
  await mixer.getByRole('button', { name: 'Mute Music' }).click()
  await page.keyboard.press('Escape')
  await page
    .waitForFunction(() => window.mixProbe.pulses.length > 2, null, { timeout: 20_000 })
    .catch(async (e) => {
      console.log(
        await page.evaluate(() =>
          JSON.stringify([
            window.mixProbe.pulses,
            window.mixProbe.contexts.length,
            window.mixProbe.contexts.map((c) => [
              c.state,
              c.currentTime,
              c.getOutputTimestamp(),
              c.outputLatency,
            ]),
            document.querySelector('video')?.playbackRate,
            document.querySelector('video')?.currentTime,
            document.querySelector('video')?.paused,
          ]),
        ),
        problems,
      )
      await page.screenshot({ path: '/tmp/mixer/x.png' })
      throw e
    })
  for (let seek = 0; seek < SEEKS; seek += 1) {
    const before = await page.evaluate(() => window.mixProbe.pulses.length)
    await page.locator('video').evaluate(
      (video: HTMLVideoElement, to) => {
        video.currentTime = to
      },
      (seek * 37.3) % (SECONDS - 6),
    )
    await page.waitForFunction((count) => window.mixProbe.pulses.length > count + 1, before)
  }
  const pulses = await page.evaluate(() => window.mixProbe.pulses)
  console.log(
    JSON.stringify(pulses.map((p) => [p.second, ...p.lateMs.map((m) => Math.round(m * 10) / 10)])),
  )
  expect(problems).toEqual([])
})
