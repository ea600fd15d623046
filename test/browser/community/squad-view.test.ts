import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE, type SavedState } from '#test/support/browser.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { callOn, framesApart, recordTogether, watchFrames } from '#test/support/squad-pages.ts'
import { until } from '#test/support/until.ts'

const NAMES = ['nova', 'mia', 'ben', 'zoe']
const STARTS = [1, 0, 0.35, 2]
const SECONDS = 24
/** Larger pictures take a busy machine minutes to prepare. */
const PICTURE = isLongForm
  ? { width: 854, height: 480, frameRate: 30 }
  : { width: 320, height: 180, frameRate: 30 }
/** The pictures may be this far apart, in seconds. */
const TOGETHER = 0.04

const server = setUpHostedSite({ env: { RENDITIONS: '480,180' } })
const folder = setUpFolder('squad-view')
const states: Record<string, SavedState> = {}
let match: Awaited<ReturnType<typeof recordTogether>>

beforeAll(async () => {
  const pages: Page[] = []
  for (const name of NAMES) {
    const { page } = await server.open()
    await register(page, name)
    states[name] = await page.context().storageState()
    pages.push(page)
  }
  match = await recordTogether({ folder, pages, seconds: SECONDS, starts: STARTS, ...PICTURE })
  for (const page of pages) await page.context().close()
}, 300_000)

async function openView(name: string | undefined, viewport = DESKTOP, id = match.id) {
  const state = name === undefined ? undefined : states[name]
  const opened = await server.open({ viewport, ...(state ? { state } : { isNew: true }) })
  await opened.page.goto(`/squad-view/${id}`)
  await ready(opened.page)
  return opened
}

const ready = (page: Page) =>
  page.waitForFunction(() => {
    const videos = [...document.querySelectorAll('video')]
    return videos.length === 4 && videos.every(({ readyState }) => readyState >= 2)
  })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const arePaused = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('video')].map(({ paused }) => paused))
const heard = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('video')].flatMap(({ muted }, index) => (muted ? [] : [index])),
  )

async function play(page: Page): Promise<void> {
  await page.keyboard.press('k')
  await until(async () => !(await arePaused(page)).includes(true))
}

/** @returns the distances of the pictures, in seconds, of which there is one every tenth of a second */
async function measure(page: Page, seconds: number, places = match.places): Promise<number[]> {
  const distances: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const apart = await framesApart(page, places)
    if (apart !== undefined) distances.push(apart)
    await page.waitForTimeout(100)
  }
  return distances.sort((one, other) => one - other)
}

const share = (sorted: readonly number[], part: number) =>
  sorted[Math.floor((sorted.length - 1) * part)] ?? Number.POSITIVE_INFINITY

test('four pictures of one match run together, with the sound of the large one', async ({
  annotate,
}) => {
  const { page } = await openView(undefined)
  await watchFrames(page)
  await play(page)
  await page.waitForTimeout(3000)
  const distances = await measure(page, 10)
  const median = share(distances, 0.5)
  await annotate(`median ${ms(median)}, 95 % ${ms(share(distances, 0.95))} of ${distances.length}`)
  expect(distances.length).toBeGreaterThan(30)
  // A busy machine draws late; the long form has the figure of an idle one.
  expect(median).toBeLessThan(3 * TOGETHER)
  expect(await heard(page)).toEqual([0])

  await page.keyboard.press('3')
  expect(await heard(page)).toEqual([2])
  await button(page, 'The ben, large. Play or pause').waitFor()
  await button(page, 'Make The mia large').click()
  expect(await heard(page)).toEqual([1])
  await page.keyboard.press('k')
  await until(async () => !(await arePaused(page)).includes(false))
  await page.keyboard.press('Home')
  const places = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].map((video) => video.currentTime))
  await until(async () => (await places())[1] === 0)
  await page.getByText('The nova records from 0:01').waitFor()
  expect(await auditPage(page)).toEqual([])
})

const ms = (seconds: number) => `${Math.round(seconds * 1000)} ms`

test('a cut list is recorded while watching, and becomes a montage', async () => {
  const { page } = await openView('nova')
  await play(page)
  await page.waitForTimeout(2500)
  await button(page, 'Record cuts').click()
  await page.waitForTimeout(3500)
  await page.keyboard.press('2')
  await page.waitForTimeout(3500)
  await button(page, 'Stop recording').click()
  await page.keyboard.press('k')
  const cuts = page.getByRole('list', { name: 'Cuts' }).getByRole('button')
  await until(async () => (await cuts.count()) === 2)
  expect(await cuts.allTextContents()).toEqual(['The nova', 'The mia'])
  await page.getByText('The mia does not allow others to make videos of the recording').waitFor()

  const mia = await server.open({ state: states.mia as SavedState })
  const change = { id: match.ids[1], allowsClipVideos: true }
  await callOn(mia.page, 'video.edit', change)
  await page.reload()
  await button(page, 'Export as one video').click()
  const dialog = page.getByRole('dialog', { name: 'Export as one video' })
  await dialog.getByText('2 clips').waitFor()
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByText('Export started').waitFor()
})

test('an owner moves a recording by hand, and others see it there', async () => {
  const { page } = await openView('zoe')
  await page.getByRole('heading', { name: 'Recordings' }).waitFor()
  await button(page, 'Move the recording of The zoe').click()
  await button(page, '+1 s, The zoe').click()
  await button(page, '+1 s, The zoe').click()
  await button(page, 'Save places').click()
  await page.getByText(/Aligned by hand, begins at 0:0[34]/).waitFor()
  await button(page, '−1 s, The zoe').click()
  await button(page, '−1 s, The zoe').click()
  await button(page, 'Save places').click()
  await page.getByText(/Aligned by hand, begins at 0:0[12]/).waitFor()
})

test('a room opens from a squad view, and its pages play together', async () => {
  const { page: host } = await openView('nova')
  await button(host, 'Watch together').click()
  await host.waitForURL('**/room/*')
  await ready(host)
  const mia = await server.open({ viewport: DESKTOP, state: states.mia as SavedState })
  await mia.page.goto(new URL(host.url()).pathname)
  await ready(mia.page)
  const bar = await mia.page.getByRole('group', { name: 'React', exact: true }).boundingBox()
  const last = await button(mia.page, 'Make The zoe large').boundingBox()
  expect(bar?.y).toBeGreaterThanOrEqual((last?.y ?? 0) + (last?.height ?? 0))
  await play(host)
  await until(async () => !(await arePaused(mia.page)).includes(true))
  // Whoever may not steer moves only their own pictures.
  await mia.page.keyboard.press('2')
  expect(await heard(mia.page)).toEqual([1])
  expect(await heard(host)).toEqual([0])
  const apart = async () => {
    const [one = 0, other = 0] = await Promise.all(
      [host, mia.page].map((page) =>
        page.evaluate(() => {
          const video = document.querySelector('video')
          return (video?.currentTime ?? Number.NaN) - Date.now() / 1000
        }),
      ),
    )
    return Math.abs(one - other)
  }
  await until(async () => (await apart()) < 0.15)
  await mia.page.keyboard.press('k')
  await button(mia.page, 'Back to the group').waitFor()
  expect((await arePaused(host)).includes(true)).toBe(false)
  await button(mia.page, 'Back to the group').click()
  await host.keyboard.press('k')
  await until(async () => !(await arePaused(mia.page)).includes(false))
})

longTest(
  'four pictures stay together for ten minutes',
  async ({ annotate }) => {
    const pages: Page[] = []
    for (const name of NAMES) {
      pages.push((await server.open({ state: states[name] as SavedState })).page)
    }
    const long = { folder, pages, seconds: 620, starts: STARTS, ...PICTURE }
    const { id, places } = await recordTogether(long)
    for (const page of pages) await page.context().close()
    const { page } = await openView(undefined, DESKTOP, id)
    await watchFrames(page)
    await play(page)
    await page.waitForTimeout(5000)
    const distances = await measure(page, 600, places)
    const figures = [0.5, 0.95, 0.99, 1].map((part) => ms(share(distances, part)))
    await annotate(`median, 95 %, 99 % and most of ${distances.length}: ${figures.join(', ')}`)
    expect(share(distances, 0.95)).toBeLessThan(TOGETHER)
  },
  30 * 60_000,
)

test('the page of a video leads to its squad view', async () => {
  const { page } = await server.open({ isNew: true })
  await page.goto(`/video/${match.ids[0]}`)
  await page.getByRole('link', { name: 'Squad view' }).click()
  await page.waitForURL(`**/squad-view/${match.id}`)
  await ready(page)
})

test('on a phone there is one picture and a strip, without a scroll to the side', async () => {
  const { page } = await openView(undefined, PHONE)
  const boxes = await page.evaluate(() =>
    [...document.querySelectorAll('video')].map((video) => video.getBoundingClientRect().width),
  )
  expect(boxes[0]).toBeGreaterThan(370)
  expect(Math.max(...boxes.slice(1))).toBeLessThan(140)
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(isWide).toBe(false)
  expect(await auditPage(page)).toEqual([])
})

test('a view that there is not says so', async () => {
  const { page } = await server.open({ isNew: true })
  await page.goto('/squad-view/99999')
  await page.getByRole('heading', { name: 'There is no such squad view' }).waitFor()
})
