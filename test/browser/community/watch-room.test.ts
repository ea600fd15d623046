import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP, type SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { apart, pausedIn, placeIn, stallFor } from '#test/support/room-pages.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = 90
/** Seconds, between the pictures of two pages. */
const TOGETHER = 0.1

const server = setUpHostedSite({ env: { RENDITIONS: '240' } })
const folder = setUpFolder('rooms')
const states: Record<string, SavedState> = {}
let videoId: number

beforeAll(async () => {
  for (const name of ['nova', 'mia', 'ben']) {
    const { page } = await server.open()
    await register(page, name)
    if (name === 'nova') {
      const path = join(folder, 'match.mp4')
      const clip = await makeClip({ path, width: 320, height: 180, seconds: SECONDS })
      videoId = await uploadClip(page, clip, { title: 'Ace on the last round' })
    }
    states[name] = await page.context().storageState()
    await page.context().close()
  }
})

async function openAs(name: string | undefined, path: string) {
  const state = name === undefined ? undefined : states[name]
  const opened = await server.open({ viewport: DESKTOP, ...(state ? { state } : { isNew: true }) })
  await opened.page.goto(path)
  return opened
}

async function openRoom(...others: string[]) {
  const { page: host } = await openAs('nova', `/video/${videoId}`)
  await host.getByRole('button', { name: 'More actions' }).click()
  await host.getByRole('menuitem', { name: 'Watch together' }).click()
  await host.waitForURL('**/room/*')
  const { pathname } = new URL(host.url())
  const pages = [host]
  for (const name of others) pages.push((await openAs(name, pathname)).page)
  for (const page of pages) await ready(page)
  return { pages, host, pathname }
}

const ready = (page: Page) =>
  page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
const player = (page: Page) => page.getByRole('group', { name: 'Video player' })
const isPaused = async (page: Page) => (await pausedIn([page]))[0]

/** They come together, and stay so. */
async function together(pages: Page[]): Promise<void> {
  let inARow = 0
  await until(
    async () => {
      inARow = (await apart(pages)) <= TOGETHER ? inARow + 1 : 0
      return inARow === 5
    },
    { timeoutMs: 15_000 },
  )
}

test('all pages of a room play, seek and pause together', async () => {
  const { pages, host } = await openRoom('mia', 'ben')
  const [, mia = host] = pages
  await player(host).press('Home')
  await player(host).press('k')
  await until(async () => !(await pausedIn(pages)).includes(true))
  await together(pages)

  await player(host).press('5')
  await until(async () => (await placeIn(mia)) > 40)
  await together(pages)

  await player(host).press('k')
  await until(async () => !(await pausedIn(pages)).includes(false))
  await until(async () => (await apart(pages)) < 0.011)

  // The speed is the room's. The correction of a page is no speed.
  await player(host).press('k')
  await player(host).press('>')
  await until(async () => (await rateOf(mia)) > 1.2)
  await together(pages)
  await player(mia).hover()
  await mia.getByRole('button', { name: 'Settings' }).click()
  await mia.getByRole('menuitem', { name: /Speed.*1\.25/ }).waitFor()
})

const rateOf = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)

test('a page that stalls waits alone and catches up', async () => {
  const { pages, host } = await openRoom('mia', 'ben')
  const [, mia = host, ben = host] = pages
  await player(host).press('k')
  await until(async () => !(await pausedIn(pages)).includes(true))
  await together(pages)
  await stallFor(mia, 2500)
  expect(await pausedIn([host, ben])).toEqual([false, false])
  expect(await apart([host, ben])).toBeLessThanOrEqual(TOGETHER)
  await together(pages)
})

test('a pause by somebody who may not steer is theirs alone', async () => {
  const { pages, host } = await openRoom('mia')
  const [, mia = host] = pages
  await player(host).press('k')
  await until(async () => !(await pausedIn(pages)).includes(true))
  await player(mia).press('k')
  await until(async () => (await isPaused(mia)) === true)
  expect(await isPaused(host)).toBe(false)
  await mia.getByRole('button', { name: 'Back to the group' }).click()
  await together(pages)
  await player(mia).press('ArrowRight')
  await mia.getByRole('button', { name: 'Back to the group' }).click()
  await together(pages)

  await host.getByRole('tab', { name: /People/ }).click()
  await host.getByRole('button', { name: 'Role of The mia' }).click()
  await host.getByRole('menuitem', { name: 'Let steer' }).click()
  await mia.getByRole('tab', { name: /People/ }).click()
  await mia.getByText('May steer').waitFor()
  await player(mia).press('k')
  await until(async () => !(await pausedIn(pages)).includes(false))
})

test('a guest is refused, and watches once the host allows it', async () => {
  const { host, pathname } = await openRoom()
  const guest = await openAs(undefined, pathname)
  await guest.page.getByRole('heading', { name: 'This room is for members' }).waitFor()
  await host.getByRole('tab', { name: /People/ }).click()
  const edited = host.waitForResponse((answer) => answer.url().includes('watchRoom.edit'))
  await host.getByRole('switch', { name: 'Guests may watch' }).click()
  await edited
  await guest.page.goto(pathname)
  await guest.page.getByRole('tab', { name: /People/ }).waitFor()
  await ready(guest.page)
  await host.getByText('And one guest').waitFor()
  await player(host).press('k')
  await together([host, guest.page])
  expect(await auditPage(guest.page)).toEqual([])
})

test('whom the host removes is told so, and the host may let them in again', async () => {
  const { host, pages, pathname } = await openRoom('mia')
  const [, mia = host] = pages
  await host.getByRole('tab', { name: /People/ }).click()
  await host.getByRole('button', { name: 'Role of The mia' }).click()
  await host.getByRole('menuitem', { name: 'Remove from the room' }).click()
  await mia.getByText('The host has removed you from this room.').waitFor()
  expect(await auditPage(mia)).toEqual([])
  const back = host.getByRole('button', { name: 'Let in again, The mia' })
  await back.waitFor()
  expect(await auditPage(host)).toEqual([])
  await back.click()
  await back.waitFor({ state: 'detached' })
  await mia.goto(pathname)
  await ready(mia)
})

test('chat, reactions and drawings reach the others', async () => {
  const { pages, host } = await openRoom('mia')
  const [, mia = host] = pages
  await mia.getByRole('textbox', { name: 'Message' }).fill('What a shot')
  await mia.getByRole('checkbox', { name: /comment/ }).check()
  await mia.getByRole('textbox', { name: 'Message' }).press('Enter')
  await host.getByRole('log', { name: 'Chat' }).getByText('What a shot').waitFor()
  expect(await auditPage(host)).toEqual([])

  await player(mia).hover()
  await mia.getByRole('button', { name: 'Fire' }).click()
  await player(host).locator('[class*=floats] > span').first().waitFor()

  await mia.getByRole('button', { name: 'Point with an arrow' }).click()
  const box = await player(mia).boundingBox()
  if (!box) throw new Error('There is no player.')
  await mia.mouse.move(box.x + 100, box.y + 100)
  await mia.mouse.down()
  await mia.mouse.move(box.x + 300, box.y + 200, { steps: 5 })
  await mia.mouse.up()
  const lines = player(host).locator('polyline')
  await lines.first().waitFor({ state: 'attached' })
  // It stays while the video is paused.
  await player(host).press('k')
  await until(async () => (await lines.count()) === 0, { timeoutMs: 8000 })
  await host.goto(`/video/${videoId}`)
  await host
    .getByText(/^0:00 What a shot|What a shot$/)
    .first()
    .waitFor()
})

test('the queue goes on with the next video', async () => {
  const { pages, host } = await openRoom('mia')
  const [, mia = host] = pages
  await host.getByRole('tab', { name: /Queue/ }).click()
  await host.getByRole('searchbox').fill('Ace on')
  await host.getByRole('button', { name: /^Add Ace on the last round/ }).click()
  await mia.getByRole('tab', { name: 'Queue 2' }).click()
  const playing = host.getByRole('listitem').filter({ has: host.getByLabel('Playing') })
  for (const [arrow, place] of [
    ['ArrowDown', 1],
    ['ArrowUp', 0],
  ] as const) {
    for (const key of [' ', arrow, ' ']) await playing.getByLabel(/^Move /).press(key)
    await mia.locator('ol > li').nth(place).getByLabel('Playing').waitFor()
  }
  await player(host).press('k')
  await until(async () => !(await pausedIn(pages)).includes(true))
  await host.locator('video').evaluate((video: HTMLVideoElement) => video.duration)
  await player(host).press('9')
  await player(host).press('ArrowRight')
  await until(async () => (await placeIn(mia)) > 80)
  await until(async () => (await placeIn(mia)) < 20)
  await together(pages)
})
