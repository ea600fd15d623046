import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBreakableLine } from '../support/breakable-line.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { register } from '../support/site-member.ts'
import { addVideos, writeRows } from '../support/site-rows.ts'
import { launchFirefox, openPage } from './support/firefox.ts'

/** Pages go on within 3 s; a busy machine draws later. */
const BACK = { timeout: 6000 }
const FIRST_PAGE = 48

let server: ServerProcess
let line: Awaited<ReturnType<typeof openBreakableLine>>
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  line = await openBreakableLine(server.port)
  const { id: userId } = await register(server.origin, 'nova')
  await writeRows(server, (db) =>
    addVideos(
      db,
      Array.from({ length: 60 }, (_, index) => ({ userId, title: `Round ${index + 1}` })),
    ),
  )
  browser = await launchFirefox()
})
afterAll(async () => {
  await browser?.close()
  await line?.stop()
  await server?.remove()
})

const cards = (page: Page) => page.$$eval('article', (all) => all.length)
const says = (page: Page, words: string) =>
  page.evaluate((wanted) => document.body.innerText.includes(wanted), words)
const settle = () => new Promise((resolve) => setTimeout(resolve, 3000))

test('the home list goes on by itself after the server was away', async () => {
  const { page, close } = await openPage(browser)
  await page.goto(line.origin)
  await expect.poll(() => cards(page)).toBe(FIRST_PAGE)
  await settle()
  line.breakDown()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => says(page, 'Reconnecting…')).toBe(true)
  expect(await says(page, 'could not be reached')).toBe(false)
  line.mend()
  // The next page arrives, and is drawn little by little.
  await expect.poll(() => cards(page), BACK).toBeGreaterThan(FIRST_PAGE)
  expect(await says(page, 'Reconnecting…')).toBe(false)
  await close()
})

test('a list that is gone to while the server is away is there when it is back', async () => {
  const { page, close } = await openPage(browser)
  await page.goto(line.origin)
  await expect.poll(() => cards(page)).toBe(FIRST_PAGE)
  await settle()
  line.breakDown()
  await page.evaluate(() =>
    document.querySelector<HTMLAnchorElement>('a[href="/?category=CS2"]')?.click(),
  )
  await expect.poll(() => says(page, 'Reconnecting…')).toBe(true)
  line.mend()
  await expect.poll(() => says(page, 'No videos found in category CS2'), BACK).toBe(true)
  await close()
})
