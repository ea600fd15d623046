import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/db/database.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import { register } from '../support/page-member.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { addMember, addVideos, writeRows } from '../support/site-rows.ts'

const VIDEOS = 60
const PAGE = 48

let server: ServerProcess
let browser: Browser
/** Signed in as somebody who follows the channel that has all the videos. */
let page: Page
let channelId: number

beforeAll(async () => {
  server = await startServer()
  browser = await launchBrowser()
  ;({ page } = await openPage(browser, { origin: server.origin }))
  const subscriberId = await register(page, 'ann')
  channelId = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'The Channel')
    const numbers = Array.from({ length: VIDEOS }, (_, index) => index)
    await addVideos(
      db,
      numbers.map((number) => ({ userId, title: `Match ${number}` })),
    )
    await db
      .insertInto('subscriptions')
      .values({ subscriberId, channelId: userId, subscribedAt: timestamp() })
      .execute()
    return userId
  })
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

const cards = () => page.getByRole('article')

test.each([
  { name: 'home', path: () => '/' },
  { name: 'search', path: () => '/search?q=match' },
  { name: 'a channel', path: () => `/profile/${channelId}` },
  { name: 'subscriptions', path: () => '/subscriptions' },
])('the list of $name goes on as one scrolls, and Back finds the place', async ({ path }) => {
  await page.goto(path())
  await cards().first().waitFor()
  expect(await cards().count()).toBe(PAGE)
  await cards().last().scrollIntoViewIfNeeded()
  await expect.poll(() => cards().count()).toBe(VIDEOS)
  await cards().nth(40).scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(1000)
  const link = cards()
    .nth(40)
    .getByRole('link', { name: /^Match/ })
  await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('video.get')),
    link.hover(),
  ])
  await link.click()
  await page.waitForURL(/\/video\//)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
  expect(await cards().count()).toBe(VIDEOS)
})

test('a television has more columns, not larger cards, and a small phone has one', async () => {
  const columns = () =>
    cards().evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().left)).size)
  await page.setViewportSize({ width: 2560, height: 1440 })
  await page.goto('/')
  await cards().first().waitFor()
  expect(await columns()).toBeGreaterThanOrEqual(7)
  const box = await cards().first().boundingBox()
  expect(box?.width).toBeLessThan(400)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await columns()).toBe(1)
})

test('a card that is far from view and not drawn is as high as one that is', async () => {
  for (const path of ['/', `/profile/${channelId}`]) {
    await page.goto(path)
    await cards().first().waitFor()
    const heights = (drawing: string) =>
      cards().evaluateAll((all, drawing) => {
        const styles = (all as HTMLElement[]).map((one) => one.style)
        for (const style of styles) style.contentVisibility = drawing
        const heights = all.map((one) => one.getBoundingClientRect().height)
        for (const style of styles) style.contentVisibility = ''
        return heights
      }, drawing)
    expect(await heights('hidden')).toEqual(await heights('visible'))
  }
})
