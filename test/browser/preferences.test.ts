import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, launchBrowser } from '../support/browser.ts'
import { type FullSite, startFullSite } from '../support/full-site.ts'
import { keepPicture, waitUntilSettled } from '../support/page-check.ts'

const BREATHING = 'breathing-mark'

let browser: Browser
let site: FullSite

beforeAll(async () => {
  browser = await launchBrowser()
  site = await startFullSite(browser)
})
afterAll(async () => {
  await browser.close()
  await site.remove()
})

async function openAsMember(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: site.server.origin, viewport: DESKTOP, storageState: site.sessions.member },
    ...options,
  })
  return context.newPage()
}

/** The names of what moves on the page at this moment. */
const movements = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map((one) => (one instanceof CSSAnimation ? one.animationName : one.constructor.name)),
  )

test('nothing moves for those who asked for stillness', async () => {
  const page = await openAsMember({ reducedMotion: 'reduce' })
  const answers = Promise.withResolvers<void>()
  await page.route(/\/trpc\//, async (route) => {
    await answers.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect.poll(() => movements(page)).toContain(BREATHING)
  expect(new Set(await movements(page)).size).toBe(1)
  answers.resolve()
  const card = page.getByRole('article').first()
  await card.waitFor()
  await card.hover()
  await expect.poll(() => movements(page)).toEqual([])
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect.poll(() => movements(page)).toEqual([])
  await page.goto('/studio')
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByText('This action cannot be undone.').waitFor()
  await expect.poll(() => movements(page)).toEqual([])
  await page.context().close()
})

const PLACES = ['/', '/studio', '/upload', '/video/{video}', '/subscriptions?tab=channels']

test('where colours are forced, the focus, what is chosen and how far it is are seen', async () => {
  const page = await openAsMember({ forcedColors: 'active', colorScheme: 'dark' })
  for (const path of [...PLACES, '/video/{processing}']) {
    await visit(page, path)
    await keepPicture(page, `forced colors ${path.replaceAll(/\W+/g, ' ').trim()}`)
  }
  const seen = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property)
  const bar = page.getByRole('progressbar', { name: 'Preparing your video' })
  await bar.waitFor()
  const [track, fill] = await bar.evaluate((one) => [
    getComputedStyle(one).backgroundColor,
    getComputedStyle(one.firstElementChild ?? one).backgroundColor,
  ])
  expect(fill).not.toBe(track)
  await page.goto('/?category=Rust')
  await page.getByRole('navigation', { name: 'Categories' }).waitFor()
  const chosen = '[aria-label="Categories"] [aria-current]'
  const others = '[aria-label="Categories"] a:not([aria-current])'
  await page.locator(chosen).waitFor()
  expect(await seen(chosen, 'background-color')).not.toBe(await seen(others, 'background-color'))
  await page.getByRole('searchbox').or(page.getByRole('combobox')).first().focus()
  expect(await seen(':focus', 'outline-style')).not.toBe('none')
  await page.context().close()
})

async function visit(page: Page, path: string): Promise<void> {
  const { ids } = site
  await page.goto(path.replace(/\{(\w+)\}/, (_, name) => String(ids[name as keyof typeof ids])))
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await waitUntilSettled(page)
}
