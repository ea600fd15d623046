import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, launchBrowser, openPage, PHONE } from '../support/browser.ts'
import { register } from '../support/page-member.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { addMember, addVideos, writeRows } from '../support/site-rows.ts'

const ODD_TITLE = '<b>100% %views%</b> & "more"'

let server: ServerProcess
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launchBrowser()
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Pixel Viper')
    const titles = Array.from({ length: 20 }, (_, index) => `Round ${index + 1}`)
    const videos = [ODD_TITLE, ...titles].map((title) => ({ userId, title, duration: 83 }))
    await addVideos(db, [...videos, { userId, title: 'Nobody knows whose', isAnonymous: 1 }])
  })
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

test('a visitor sees the first cards before any script has run', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.origin })
  const page = await context.newPage()
  const answer = await page.goto('/')
  const styles = await page.locator('link[rel="stylesheet"]').first().getAttribute('href')
  expect(answer?.headers().link).toBe(`<${styles}>; rel=preload; as=style; crossorigin`)
  const first = page.getByRole('article').first()
  expect(await page.getByRole('article').count()).toBe(12)
  expect(await first.getByRole('link', { name: ODD_TITLE }).getAttribute('href')).toBe('/video/1')
  expect(await first.textContent()).toContain('Pixel ViperNo views · 1 minute ago')
  expect(await first.textContent()).toContain('1:23')
  expect(await page.getByRole('link', { name: 'Rainbow Six' }).getAttribute('href')).toBe(
    '/?category=Rainbow%20Six',
  )
  await page.getByRole('combobox', { name: 'Search videos' }).fill('round')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=round')
  await context.close()
})

test.each([
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
])('the app takes over the first cards and nothing moves, %s', async (_, viewport) => {
  const { page, problems } = await openPage(browser, { origin: server.origin, viewport })
  const questions: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/trpc/')) questions.push(request.url())
  })
  await page.addInitScript(() => {
    const moved: number[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        moved.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // The app is kept from running until the page has been looked at as the server drew it.
  let letRun = () => {}
  const mayRun = new Promise<void>((resolve) => {
    letRun = resolve
  })
  await page.route(/\/assets\/index-/, async (route) => {
    await mayRun
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const boxes = () =>
    page.getByRole('article').evaluateAll((cards) =>
      cards.slice(0, 12).map((card) => {
        const { x, y, width, height } = card.getBoundingClientRect()
        return [x, y, width, height]
      }),
    )
  await expect.poll(async () => (await boxes()).length).toBe(12)
  await page.evaluate(() => document.fonts.ready)
  const before = await boxes()
  letRun()
  await expect.poll(() => page.getByRole('article').count()).toBe(22)
  expect(await boxes()).toEqual(before)
  expect(await page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved)).toEqual(
    [],
  )
  expect(questions).toHaveLength(1)
  expect(problems).toEqual([])
  await page.context().close()
})

test('what is pressed before the app is there happens once it is', async () => {
  const { page } = await openPage(browser, { origin: server.origin })
  let letRun = () => {}
  const mayRun = new Promise<void>((resolve) => {
    letRun = resolve
  })
  await page.route(/\/assets\/index-/, async (route) => {
    await mayRun
    await route.continue()
  })
  const asked = page.waitForRequest(/\/assets\/index-/)
  await page.goto('/', { waitUntil: 'commit' })
  await asked
  await page.getByRole('button', { name: 'Actions for Round 1', exact: true }).click()
  expect(await page.getByRole('menu').count()).toBe(0)
  letRun()
  await page.getByRole('menu', { name: 'Actions for Round 1', exact: true }).waitFor()
  await page.context().close()
})

test('the page of a member, and that of a category, has no cards of others in it', async () => {
  const { page } = await openPage(browser, { origin: server.origin })
  const read = async (path: string) => (await page.request.get(path)).text()
  expect(await read('/')).toContain('Round 1')
  expect(await read('/?category=Rust')).not.toContain('Round 1')
  await register(page, 'wilma')
  expect(await read('/')).not.toContain('Round 1')
  await page.context().close()
})

test('what is taken away is not drawn any more', async () => {
  await writeRows(server, (db) =>
    db.updateTable('videos').set({ contentApproved: 0 }).where('title', '=', 'Round 3').execute(),
  )
  const text = await (await fetch(server.origin)).text()
  expect(text).toContain('Round 2')
  expect(text).not.toContain('Round 3<')
})
