import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { mixTracks } from '#server/video/processing/sound/mix-tracks.ts'
import { MIX_FRAME, type SoundMix } from '#shared/sound-mix.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, quickCases } from '#test/support/long-form.ts'
import { installMixProbe, PROBE_INPUT } from '#test/support/mix-probe.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = isLongForm ? 330 : 40
const SEEKS = isLongForm ? 100 : 6
const LISTENED_MS = 180_000
const PREPARED_MS = isLongForm ? 400_000 : 110_000
const APART_MS = 5
const LATE_MS = 20
/** RMS of the difference to the signal. */
const ALIKE_DECIBELS = -60

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
    { timeoutMs: PREPARED_MS },
  )
  await page.context().close()
}, PREPARED_MS + 60_000)

/** Runs in the page before its scripts: keeps the blocks that Web Audio plays. */
function keepBlocks(): void {
  window.mixBlocks = []
  const start = AudioBufferSourceNode.prototype.start
  AudioBufferSourceNode.prototype.start = function (...times) {
    const { buffer } = this
    if (buffer) window.mixBlocks.push([0, 1].map((channel) => [...buffer.getChannelData(channel)]))
    return start.apply(this, times)
  }
}

declare global {
  interface Window {
    /** Left and right of each. */
    mixBlocks: number[][][]
  }
}

/** Returns the server's mix of the tracks of a stream. */
async function mixOnServer(page: Page, hlsUrl: string, mix: SoundMix): Promise<number[][]> {
  const textOf = async (url: URL) => (await page.request.get(url.href)).text()
  const master = new URL(hlsUrl, server.origin)
  const playlists = [...(await textOf(master)).matchAll(/TYPE=AUDIO.*URI="([^"]+)"/g)]
  const paths: string[] = []
  for (const [, name = ''] of playlists) {
    const url = new URL(name, master)
    const file = /URI="([^"]+)"/.exec(await textOf(url))?.[1] ?? ''
    const path = join(server.dataFolder, file)
    await writeFile(path, await (await page.request.get(new URL(file, url).href)).body())
    paths.push(path)
  }
  const whole: number[][] = [[], []]
  for await (const samples of mixTracks(paths, mix)) {
    for (const [channel, values] of samples.entries()) whole[channel]?.push(...values)
  }
  return whole
}

/** Decibels of the difference where both fit best. */
function compare(heard: number[][], made: number[][]): number {
  const length = heard[0]?.length ?? 0
  let best = 0
  for (let from = 0; from + length <= (made[0]?.length ?? 0); from += MIX_FRAME) {
    let [difference, signal] = [0, 0]
    for (const [channel, values] of heard.entries()) {
      for (let at = 0; at < length; at += 1) {
        const value = made[channel]?.[from + at] ?? 0
        difference += (value - (values[at] ?? 0)) ** 2
        signal += value ** 2
      }
    }
    best = Math.min(best, 10 * Math.log10(difference / signal))
  }
  return best
}

async function openMixer(page: Page) {
  const player = page.getByRole('group', { name: 'Video player' })
  // The controls of a video that plays are hidden.
  await player.hover()
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

const LIMIT_MS = isLongForm ? 900_000 : 120_000
test('tracks and picture stay together, also over seeks', {
  retry: isLongForm ? 0 : 2,
  timeout: LIMIT_MS,
}, async () => {
  const { page, problems } = await watch()
  const mixer = await openMixer(page)
  await mixer.getByRole('button', { name: 'Mute Mic' }).click()
  await mixer.getByRole('button', { name: 'Mute Music' }).click()
  await page.keyboard.press('Escape')
  const hear = (pulses: number) =>
    page.waitForFunction((count) => window.mixProbe.pulses.length >= count, pulses)
  await hear(2)
  for (let seek = 0; seek < SEEKS; seek += 1) {
    const before = await page.evaluate(() => window.mixProbe.pulses.length)
    await page.locator('video').evaluate(
      (video: HTMLVideoElement, to) => {
        video.currentTime = to
      },
      (seek * 37.3) % (SECONDS - 6),
    )
    await hear(before + 2)
  }
  if (isLongForm) await page.waitForTimeout(LISTENED_MS)
  const { pulses, wrongPictures } = await page.evaluate(() => window.mixProbe)
  const whole = pulses.filter(({ lateMs }) => lateMs.filter(Number.isFinite).length === 3)
  const apart = whole.map(({ lateMs }) => Math.max(...lateMs) - Math.min(...lateMs))
  const late = whole.map(({ lateMs }) => Math.abs(lateMs[0] ?? 0)).sort((a, b) => a - b)
  expect(whole.length).toBeGreaterThan(SEEKS)
  expect(Math.max(...apart)).toBeLessThan(APART_MS)
  expect(wrongPictures).toBe(0)
  // A busy machine shows pictures late.
  const place = isLongForm ? late.length >> 1 : late.length >> 2
  if (isLongForm) console.info(describe(late, apart))
  expect(late[place]).toBeLessThan(LATE_MS)
  expect(problems).toEqual([])
})

const RATES = [
  ['48 kHz', 48_000],
  ['44.1 kHz', 44_100],
] as const

test.each(quickCases(RATES, ['44.1 kHz']))(
  'of tracks of %s the browser makes the same as the server, with ducking and limits',
  async (_, sampleRate) => {
    const { page } = await server.open({ isNew: true })
    await page.addInitScript(keepBlocks)
    await register(page, `kim${sampleRate}`)
    const path = await makeClip({
      path: join(server.dataFolder, `mixed-${sampleRate}.mp4`),
      // Not noise, which AAC decoders may make up.
      ...{ width: 320, height: 240, seconds: 12, sampleRate, pulses: true },
      audioTracks: 3,
      audioHandlers: ['Game', 'Mic', 'Music'],
      soundGains: [0, -10, 0],
    })
    const videoId = await uploadClip(page, path, { title: 'Mixed' })
    let hlsUrl: string | null = null
    const hasStream = async () => {
      const answer = await page.request.get(`/api/videos/${videoId}`)
      hlsUrl = ((await answer.json()) as { hlsUrl: string | null }).hlsUrl
      return hlsUrl !== null
    }
    await until(hasStream, { timeoutMs: 110_000 })
    await page.goto(`/video/${videoId}`)
    const mixer = await openMixer(page)
    for (const [name, gain] of [
      ['Game', '9'],
      ['Mic', '6'],
      ['Music', '12'],
    ] as const) {
      await mixer.getByRole('slider', { name: `Volume of ${name}` }).fill(gain)
    }
    await mixer.getByRole('switch', { name: 'Voice over game' }).click()
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      window.mixBlocks = []
      video.currentTime = 4
      void video.play()
    })
    await page.waitForFunction(() => window.mixBlocks.length > 12)
    // The first ones may be of before the seek.
    const blocks = await page.evaluate(() => window.mixBlocks.slice(6, 12))
    const heard = [0, 1].map((channel) => blocks.flatMap((block) => block[channel] ?? []))
    const track = (number: number, gainDb: number) => ({
      ...{ number, gainDb, isMuted: false, isVoice: number === 2 },
    })
    const mix = { tracks: [track(1, 9), track(2, 6), track(3, 12)], ducks: true }
    const made = await mixOnServer(page, hlsUrl ?? '', mix)
    const alike = compare(heard, made)
    if (isLongForm) console.info(`${sampleRate} Hz: ${alike.toFixed(1)} dB`)
    expect(alike).toBeLessThan(ALIKE_DECIBELS)
  },
)

test('the viewer’s mix is remembered on the device until it is reset', async () => {
  const { page } = await server.open({ isNew: true })
  const isMuted = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.muted)
  await page.goto(`/video/${id}`)
  const mixer = await openMixer(page)
  const mic = mixer.getByRole('slider', { name: 'Volume of Mic' })
  await mic.focus()
  await mic.press('ArrowRight')
  expect(await mic.getAttribute('aria-valuetext')).toBe('+0.5 dB')
  await page.waitForFunction(() => document.querySelector('video')?.muted)
  await page.reload()
  await page.locator('body').click({ position: { x: 5, y: 400 } })
  const again = await openMixer(page)
  await page.waitForFunction(() => document.querySelector('video')?.muted)
  const value = await again.getByRole('slider', { name: 'Volume of Mic' }).inputValue()
  expect(value).toBe('0.5')
  await again.getByRole('button', { name: 'Reset to everyone’s mix' }).click()
  await until(async () => !(await isMuted()))
  expect(await page.evaluate(() => localStorage.getItem('clutch-mixes'))).toBe('{"mixes":[]}')
})

test('without WebCodecs the panel says that everyone’s mix plays, and it does', async () => {
  const { page } = await server.open({ isNew: true })
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'AudioDecoder')
  })
  await page.goto(`/video/${id}`)
  const mixer = await openMixer(page)
  await mixer.getByRole('button', { name: 'Mute Game' }).click()
  await mixer.getByText('This browser cannot mix sound tracks here.').waitFor()
  const video = page.locator('video')
  expect(await video.evaluate((element: HTMLVideoElement) => element.muted)).toBe(false)
})

test('the owner makes a mix that of everyone, and others hear it first', async () => {
  const { page } = await server.open({ isNew: true })
  await register(page, 'olga')
  const path = await makeClip({
    path: join(server.dataFolder, 'own.mp4'),
    ...{ width: 320, height: 240, seconds: 4, audioTracks: 2 },
    audioHandlers: ['Game', 'Mic'],
  })
  const videoId = await uploadClip(page, path, { title: 'Own' })
  const read = async () => {
    const answer = await page.request.get(`/api/videos/${videoId}`)
    return (await answer.json()) as { hlsUrl: string | null }
  }
  await until(async () => (await read()).hlsUrl !== null, { timeoutMs: PREPARED_MS })
  const { hlsUrl } = await read()
  await page.goto(`/video/${videoId}`)
  const mixer = await openMixer(page)
  await mixer.getByRole('button', { name: 'Mute Mic' }).click()
  await mixer.getByRole('button', { name: 'Save as everyone’s mix' }).click()
  await mixer.getByText('Saved.').waitFor()
  expect((await read()).hlsUrl).not.toBe(hlsUrl)
  await page.reload()
  const saved = await openMixer(page)
  const mute = saved.getByRole('button', { name: 'Mute Mic' })
  await mute.waitFor()
  expect(await mute.getAttribute('aria-pressed')).toBe('false')
  expect(await saved.getByRole('button', { name: 'Reset' }).isDisabled()).toBe(true)
})

function describe(late: number[], apart: number[]): string {
  const at = (share: number) => (late[Math.floor((late.length - 1) * share)] ?? 0).toFixed(1)
  return `${late.length} pulses: tracks ${Math.max(...apart).toFixed(2)} ms apart at most; picture ${at(0.5)} ms (median), ${at(0.95)} ms (p95), ${at(1)} ms (most)`
}
