import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RoomPlayback } from '#shared/watch-rooms.ts'
import { openShapedLine } from '#test/bench/shaped-line.ts'
import { launchBrowser, openPage } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { register } from '#test/support/page-member.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import {
  apart,
  beginsOf,
  countPauses,
  pausedIn,
  placeIn,
  stallFor,
} from '#test/support/room-pages.ts'
import { type SeveralNodes, startNodes } from '#test/support/several-nodes.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const PAGES = 8
const SECONDS = 240
const SAMPLE_MS = 400
/** Up to 150 ms each way, of which half comes and goes, and one piece in a hundred is lost. */
const shapeOf = (index: number) => ({
  bytesPerSecond: 4_000_000,
  roundTripMs: (150 * index) / (PAGES - 1),
  jitterMs: (75 * index) / (PAGES - 1),
  lossShare: 0.01,
})

let url: string
let site: SeveralNodes
let browser: Browser
let videoId: number
const pages: Page[] = []
const lines: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  url = await createMigratedDatabase()
  site = await startNodes({ urls: [url, url], env: { PROCESSING_JOBS: '1', RENDITIONS: '180' } })
  browser = await launchBrowser()
  const port = Number(new URL(site.origin).port)
  for (let index = 0; index < PAGES; index += 1) {
    const line = await openShapedLine(port, shapeOf(index))
    lines.push(line)
    const { page } = await openPage(browser, { origin: line.origin, isNew: true })
    await register(page, `member${index}`)
    pages.push(page)
  }
  const [host] = pages
  if (!host) throw new Error('There is no page.')
  const path = join(await mkdtemp(join(tmpdir(), 'clutch-room-')), 'match.mp4')
  const clip = await makeClip({ path, width: 160, height: 90, seconds: SECONDS })
  videoId = await uploadClip(host, clip, { title: 'A long match' })
  await until(async () => {
    const answer = await host.request.get(`/api/videos/${videoId}`)
    return ((await answer.json()) as { processingState?: string }).processingState === 'ready'
  })
})

afterAll(async () => {
  await browser.close()
  for (const line of lines) await line.close()
  await site.stop()
  await dropDatabase(url)
})

/** How far each two are from each other. */
const pairsOf = (values: readonly number[]) =>
  values.flatMap((one, index) => values.slice(index + 1).map((other) => Math.abs(one - other)))

const shareOf = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

test('eight pages far away stay together, also when a node is killed', async () => {
  const [host, , , far] = pages
  const [, killed] = site.nodes
  if (!host || !far || !killed) throw new Error('There is no page.')
  const created = await host.request.post('/trpc/watchRoom.create', { data: { videoId } })
  const { token } = (await created.json()).result.data as { token: string }
  await Promise.all(pages.map((page) => page.goto(`/room/${token}`)))
  for (const page of pages) {
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 3)
  }
  const player = host.getByRole('group', { name: 'Video player' })
  const press = (key: string) => player.press(key)
  const playback = async () => {
    const input = encodeURIComponent(JSON.stringify({ token }))
    const answer = await host.request.get(`/trpc/watchRoom.get?input=${input}`)
    return ((await answer.json()).result.data as { playback: RoomPlayback }).playback
  }
  const samples: number[] = []
  const sample = async (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const begins = await beginsOf(pages)
      samples.push(...pairsOf(begins))
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  }
  /** How long until all are together and stay so. */
  const comeTogether = async () => {
    const begin = performance.now()
    let at = 0
    for (let inARow = 0; inARow < 4; ) {
      const is = (await apart(pages)) <= 0.1
      if (is && inARow === 0) at = performance.now()
      inARow = is ? inARow + 1 : 0
      if (performance.now() - begin > 20_000) return Number.POSITIVE_INFINITY
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return at - begin
  }
  await host.waitForTimeout(2000)
  const first = await playback()
  await countPauses(pages)
  await press('k')
  const times: Record<string, number> = { play: await comeTogether() }
  await sample(12_000)
  await press('l')
  times.seek = await comeTogether()
  await sample(10_000)
  await stallFor(far, 2000)
  times.stall = await comeTogether()
  await sample(5000)
  await killed.stop('SIGKILL')
  await sample(5000)
  await press('3')
  times.afterKill = await comeTogether()
  await sample(12_000)
  const before = await countPauses(pages)
  await press('k')
  await until(async () => !(await pausedIn(pages)).includes(false))
  const figures = { ...times, p50: shareOf(samples, 0.5), p95: shareOf(samples, 0.95) }
  console.info(figures, `${samples.length} samples`)
  expect(shareOf(samples, 0.95)).toBeLessThanOrEqual(0.1)
  // Eight browsers that load at once on a small machine measure the clock late, so the first of them takes longer.
  for (const name of ['stall', 'afterKill']) expect(times[name]).toBeLessThan(5000)
  // Only the host's four commands changed what plays, and nobody paused in between.
  expect((await playback()).version - first.version).toBe(4)
  expect(before).toBe(0)
  expect(await placeIn(far)).toBeCloseTo(await placeIn(host), 2)
})
