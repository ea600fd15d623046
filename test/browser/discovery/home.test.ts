import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { setConnected } from '#test/support/connection.ts'
import { longTest } from '#test/support/long-form.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const MINUTE_MS = 60_000

const server = setUpHostedSite()

beforeAll(async () => {
  const db = openDatabase(server.dataFolder)
  await addRows(db, 'users', {
    username: 'ann',
    password: 'no password matches this',
    email: 'ann@example.org',
    displayName: 'Ann of Rust',
    createdAt: timestamp(),
  })
  const videos = Array.from({ length: 60 }, (_, index) => ({
    userId: 1,
    mediaKey: String(index).padStart(32, '0'),
    title: `Match ${index}`,
    category: index === 1 ? 'CS2' : 'Rust',
    isAnonymous: index === 2 ? (1 as const) : (0 as const),
    viewCount: index === 0 ? 1500 : 0,
    duration: index === 0 ? 3671 : 0,
    publishedAt: timestamp(new Date(Date.now() - index * MINUTE_MS)),
    processingState: 'ready' as const,
  }))
  await db.insertInto('videos').values(videos).execute()
  await db.destroy()
})

test('cards show views, age and length, and lead to the video and its channel', async () => {
  const { page, problems } = await server.open()
  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: 'Match 0' })
  await card.getByText('1.5K views · Just now').waitFor()
  await card.getByText('1:01:11').waitFor()
  expect(await card.getByRole('link', { name: 'Match 0' }).getAttribute('href')).toBe('/video/1')
  expect(await card.getByRole('link', { name: 'Ann of Rust' }).first().getAttribute('href')).toBe(
    '/profile/1',
  )
  expect(problems).toEqual([])
})

test('an anonymous video names nobody and links to nobody', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const card = page
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: 'Match 2', exact: true }) })
  await card.getByText('Anonymous').waitFor()
  expect(await card.getByText('Ann of Rust').count()).toBe(0)
  expect(await card.locator('a[href^="/profile"]').count()).toBe(0)
})

longTest('the list goes on as one scrolls', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const cards = page.getByRole('article')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(48)
  await cards.last().scrollIntoViewIfNeeded()
  await expect.poll(() => cards.count()).toBe(60)
})

test('the address holds the category, and an empty one says so', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const categories = page.getByRole('navigation', { name: 'Categories' })
  await categories.getByRole('link', { name: 'CS2' }).click()
  await page.waitForURL('/?category=CS2')
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  expect(await categories.locator('[aria-current]').innerText()).toBe('CS2')
  await categories.getByRole('link', { name: 'Tarkov' }).click()
  await page.getByText('No videos found in category Tarkov').waitFor()
  await categories.getByRole('link', { name: 'All' }).click()
  await page.waitForURL('/')
  await page.goto('/?category=Chess')
  await page.waitForURL('/')
})

test('Refresh shows what is new', async () => {
  const { page } = await server.open()
  await page.goto('/?category=CS2')
  await page.getByRole('article').filter({ hasText: 'Match 1' }).waitFor()
  const db = openDatabase(server.dataFolder)
  await db.updateTable('videos').set({ title: 'Match point' }).where('id', '=', 2).execute()
  await db.destroy()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('article').filter({ hasText: 'Match point' }).waitFor()
})

test('a list that is asked for without a connection is there as soon as there is one', async () => {
  const { page } = await server.open()
  await page.goto('/?category=CS2')
  await page.getByRole('article').waitFor()
  await setConnected(page, false)
  await page.getByRole('navigation', { name: 'Categories' }).getByText('Other').click()
  await page.getByText('Reconnecting…').waitFor()
  await page.getByRole('status', { name: 'Loading videos' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await setConnected(page, true)
  await page.getByText('No videos found in category Other').waitFor()
})

longTest(
  'what a proxy answers in the place of the server is shown with its status and text',
  async () => {
    const { page } = await server.open()
    await page.goto('/?category=CS2')
    await page.getByRole('article').waitFor()
    const nginx = `<html><head><title>502 Bad Gateway</title></head><body>
    <center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.22.1</center></body></html>`
    await page.route(/video\.list\?/, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: nginx }),
    )
    const strip = page.getByRole('navigation', { name: 'Categories' })
    await strip.getByText('Other').click()
    await page.getByText('Error loading videos: 502: Bad Gateway', { exact: true }).waitFor()
    await page.unroute(/video\.list\?/)
    await page.route(/video\.list\?/, (route) =>
      route.fulfill({ status: 503, contentType: 'text/plain', body: '' }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Error loading videos: 503: Service Unavailable').waitFor()
  },
)

longTest('a video without a time is recently published', async () => {
  const { page } = await server.open()
  await page.goto('/explore')
  await page.route(/video\.list/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(/"publishedAt":"[^"]+"/g, '"publishedAt":null')
    await route.fulfill({ response, body })
  })
  await page.getByRole('link', { name: 'CS2' }).first().click()
  const card = page.getByRole('article').first()
  await card.waitFor()
  expect(await card.textContent()).toContain('Recently published')
})

longTest('where reduced motion is asked for the category strip jumps', async () => {
  const viewport = { width: 800, height: 700 }
  const { page } = await server.open({ viewport })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const right = page.getByRole('button', { name: 'Scroll categories right' })
  await right.waitFor()
  const left = await right.evaluate((button) => {
    ;(button as HTMLButtonElement).click()
    return button.closest('nav')?.querySelector('ul')?.scrollLeft
  })
  expect(left).toBe(200)
})

longTest(
  'the arrows of the category strip scroll it, and the right one goes at the end',
  async () => {
    const viewport = { width: 800, height: 700 }
    const { page } = await server.open({ viewport })
    await page.goto('/')
    const right = page.getByRole('button', { name: 'Scroll categories right' })
    const strip = page.getByRole('navigation', { name: 'Categories' }).getByRole('list')
    await right.click()
    await expect.poll(() => strip.evaluate((list) => list.scrollLeft)).toBe(200)
    await page.getByRole('button', { name: 'Scroll categories left' }).waitFor()
    await right.click()
    await right.waitFor({ state: 'detached' })
  },
)
