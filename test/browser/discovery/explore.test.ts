import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const GAMES = ['Rust', 'CS2', 'Rainbow Six', 'GTA', 'Tarkov', 'FiveM', 'Minecraft', 'Other']

const server = setUpHostedSite()

async function fill() {
  const db = openDatabase(server.dataFolder)
  const person = {
    username: 'ann',
    password: 'no password matches this',
    email: 'ann@example.org',
    displayName: 'Ann of Rust',
    createdAt: timestamp(),
  }
  await db.insertInto('users').values(person).execute()
  const videos = ['Rust', 'Rust', 'CS2'].map((category, index) => ({
    userId: 1,
    mediaKey: String(index).padStart(32, '0'),
    title: `Match ${index}`,
    category,
    tags: JSON.stringify(index === 0 ? ['ace', 'c# & co'] : ['ace']),
    publishedAt: timestamp(),
    processingState: 'ready' as const,
  }))
  const rows = await db.insertInto('videos').values(videos).returning('id').execute()
  const day = timestamp().slice(0, 10)
  const views = rows.map(({ id }) => ({ videoId: id, day, count: 1 }))
  await db.insertInto('dailyViews').values(views).execute()
  await db.destroy()
}

test('an empty site says what comes, has one act, and still leads to its games', async () => {
  const { page, problems } = await server.open()
  await page.goto('/explore')
  const games = page.getByRole('region', { name: 'Games' })
  await games.getByRole('link').first().waitFor()
  expect(await games.locator('li').getByRole('link').count()).toBe(GAMES.length)
  await games.getByRole('link', { name: 'Tarkov' }).waitFor()
  await page.getByText('Nothing to explore yet').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()).toEqual(
    ['Games'],
  )
  expect(await page.title()).toBe('Explore · Clutch')
  expect(problems).toEqual([])
})

test('games lead to their videos, tags to a search, and what is trending is a grid', async () => {
  await fill()
  const { page, problems } = await server.open()
  await page.goto('/explore')
  const trending = page.getByRole('region', { name: 'Trending' })
  await trending.getByRole('article').first().waitFor()
  expect(await trending.getByRole('article').count()).toBe(3)
  await page.getByRole('link', { name: 'Rust 2 videos' }).click()
  await page.waitForURL('/?category=Rust')
  await page.goBack()
  await page.getByRole('link', { name: '#ace 3 videos' }).waitFor()
  await page.getByRole('link', { name: '#c# & co 1 video' }).click()
  await page.waitForURL('/search?q=c%23%20%26%20co')
  expect(problems).toEqual([])
})

longTest.each(['dark', 'light'])('it is readable on a phone in %s', async (scheme) => {
  const { page } = await server.open({ viewport: PHONE })
  await page.addInitScript((chosen) => localStorage.setItem('clutch-color-scheme', chosen), scheme)
  await page.goto('/explore')
  await page.getByRole('article').first().waitFor()
  expect(await auditPage(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

longTest('what cannot be loaded says why and can be asked for again', async () => {
  const { page } = await server.open()
  // Asked for together with who one is, the whole page would fail; the home page has the games already.
  await page.goto('/history')
  await page.route('**/trpc/*explore*', (route) => route.abort())
  await page.getByRole('link', { name: 'Explore' }).click()
  const games = page.getByRole('region', { name: 'Games' })
  await games.getByText('The server could not be reached.').waitFor()
  await page.unroute('**/trpc/*explore*')
  await games.getByRole('button', { name: 'Try again' }).click()
  await games.getByRole('link', { name: 'Rust 2 videos' }).waitFor()
})
