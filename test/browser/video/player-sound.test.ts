import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = 30
/** The pitch of the first track; the second is an octave higher. */
const FIRST_HERTZ = 440
const FLASH_SECONDS = 8
/** More than this beside the picture is noticed. */
const MAX_DRIFT_SECONDS = 0.04

const server = setUpHostedSite({ env: { RENDITIONS: '240,144' } })
let tonesId: number
let flashId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const common = { width: 320, height: 240, frameRate: 25, keyFrameSeconds: 2, audioTracks: 2 }
  const tones = await makeClip({
    ...common,
    path: join(server.dataFolder, 'tones.mp4'),
    seconds: SECONDS,
  })
  const flash = await makeClip({
    ...{ ...common, path: join(server.dataFolder, 'flash.mp4'), seconds: 2 * FLASH_SECONDS },
    flashSeconds: FLASH_SECONDS,
  })
  tonesId = await uploadClip(page, tones, { title: 'Two tones' })
  flashId = await uploadClip(page, flash, { title: 'A flash' })
  const haveStreams = async () => {
    const answers = [tonesId, flashId].map(async (id) => {
      const answer = await page.request.get(`/api/videos/${id}`)
      return ((await answer.json()) as { hlsUrl: string | null }).hlsUrl !== null
    })
    return (await Promise.all(answers)).every(Boolean)
  }
  await until(haveStreams, { timeoutMs: 110_000 })
  await page.context().close()
})

/** Plays a video from its file or by renditions, and listens to it. */
async function listen(id: number, memory: object) {
  const { page, problems } = await server.open()
  await page.addInitScript(
    (text) => localStorage.setItem('clutch-player', text),
    JSON.stringify(memory),
  )
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>('[role="group"] video')
    return (video?.readyState ?? 0) >= 2
  })
  await page.evaluate(hear)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.play())
  return { page, problems }
}

type Ear = {
  /** Hertz, 0 in silence. */
  pitch: () => number
  /** The video's time at which the sound that is heard now has begun; undefined in silence. */
  began: () => number | undefined
}
declare global {
  interface Window {
    ear: Ear
  }
}

/** Runs in the page. */
function hear(): void {
  const video = document.querySelector('video') as HTMLVideoElement
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 2048
  context.createMediaElementSource(video).connect(analyser)
  const wave = new Float32Array(analyser.fftSize)
  const isLoud = (value: number) => Math.abs(value) > 0.01
  window.ear = {
    pitch() {
      analyser.getFloatTimeDomainData(wave)
      if (!wave.some(isLoud)) return 0
      const crossings = wave.filter(
        (value, index) => index > 0 && value >= 0 && (wave[index - 1] ?? 0) < 0,
      )
      return (crossings.length * context.sampleRate) / wave.length
    },
    began() {
      analyser.getFloatTimeDomainData(wave)
      const first = wave.findIndex(isLoud)
      const isOld = first === 0
      if (first < 0 || isOld) return undefined
      return video.currentTime - (wave.length - first) / context.sampleRate
    },
  }
}

async function chooseSecondTrack(page: Page) {
  const player = page.getByRole('group', { name: 'Video player' })
  await player.getByRole('button', { name: 'Settings' }).press('Enter')
  await player.getByRole('menuitem', { name: /^Audio track/ }).press('Enter')
  await player.getByRole('menuitemradio', { name: 'Track 2' }).press('Enter')
}

const soundsLike = (page: Page, hertz: number) =>
  page.waitForFunction((wanted) => Math.abs(window.ear.pitch() - wanted) < 60, hertz)

/** The share of a while in which this pitch is heard; a busy machine drops a piece of sound now and then. */
const shareOf = (page: Page, { hertz, ms }: { hertz: number; ms: number }) =>
  page.evaluate(
    async ({ hertz, ms }) => {
      const end = performance.now() + ms
      const heard: boolean[] = []
      while (performance.now() < end) {
        heard.push(Math.abs(window.ear.pitch() - hertz) < 60)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return heard.filter(Boolean).length / heard.length
    },
    { hertz, ms },
  )

/** Seconds from when the picture of a place is there until its sound has this pitch. */
const soundAfterSeek = (page: Page, { seconds, hertz }: { seconds: number; hertz: number }) =>
  page.evaluate(
    async ({ seconds, hertz }) => {
      const video = document.querySelector('video') as HTMLVideoElement
      const seeked = new Promise((resolve) => {
        video.addEventListener('seeked', resolve, { once: true })
      })
      video.currentTime = seconds
      await seeked
      const began = performance.now()
      while (Math.abs(window.ear.pitch() - hertz) > 60) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return (performance.now() - began) / 1000
    },
    { seconds, hertz },
  )

const BEGINNINGS = [
  ['the file', { bandwidth: 90_000_000 }],
  ['the stream', { quality: 144 }],
] as const

test.each(quickCases(BEGINNINGS, []))(
  'from %s another sound track is heard, steadily, and follows a seek',
  async (_, memory) => {
    const { page, problems } = await listen(tonesId, memory)
    await soundsLike(page, FIRST_HERTZ)
    await chooseSecondTrack(page)
    await soundsLike(page, 2 * FIRST_HERTZ)
    const share = await shareOf(page, { hertz: 2 * FIRST_HERTZ, ms: 4000 })
    expect(share).toBeGreaterThan(0.95)
    const late = await soundAfterSeek(page, { seconds: SECONDS - 8, hertz: 2 * FIRST_HERTZ })
    expect(late).toBeLessThan(0.3)
    const player = page.getByRole('group', { name: 'Video player' })
    await player.getByRole('button', { name: 'Settings' }).press('Enter')
    await player.getByRole('menuitem', { name: /^Audio track.*Track 2/ }).waitFor()
    expect(problems).toEqual([])
  },
)

longTest('the second sound track is in step with the picture', async () => {
  const { page } = await listen(flashId, { bandwidth: 90_000_000 })
  await chooseSecondTrack(page)
  await page.waitForFunction(() => document.querySelector('video')?.currentSrc.startsWith('blob:'))
  for (const place of [FLASH_SECONDS - 2, FLASH_SECONDS - 3]) {
    await page.locator('video').evaluate((video: HTMLVideoElement, to) => {
      video.currentTime = to
    }, place)
    const heard = await page.evaluate(async () => {
      const video = document.querySelector('video') as HTMLVideoElement
      while (video.seeking || window.ear.began() !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      for (;;) {
        const began = window.ear.began()
        if (began !== undefined) return began
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    expect(Math.abs(heard - FLASH_SECONDS)).toBeLessThan(MAX_DRIFT_SECONDS)
  }
})

longTest('a sound track that cannot be played gives way to the first', async () => {
  const { page } = await listen(tonesId, { quality: 144 })
  await soundsLike(page, FIRST_HERTZ)
  await page.route(/sound-2.*\.m4a$/, (route) => route.abort())
  await chooseSecondTrack(page)
  await page.getByText('This audio track could not be played').first().waitFor()
  await soundsLike(page, FIRST_HERTZ)
})
