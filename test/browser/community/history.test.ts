import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { PHONE } from '#test/support/browser.ts'
import { setConnected } from '#test/support/connection.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { register } from '#test/support/site-member.ts'

const DAY_MS = 86_400_000
const VIDEOS = 60
const ANN = { username: 'ann', password: 'correct horse' }

const server = setUpHostedSite()

beforeAll(async () => {
  await register(server.origin, ANN.username, 'Ann of Rust')
  const db = openDatabase(server.dataFolder)
  const indexes = Array.from({ length: VIDEOS }, (_, index) => index)
  const videos = indexes.map((index) => ({
    userId: 1,
    mediaKey: String(index).padStart(32, '0'),
    title: `Match ${index}`,
    description: index === 0 ? 'How the last wall fell.' : '',
    duration: 100,
    viewCount: index === 0 ? 1500 : 0,
    publishedAt: timestamp(new Date(Date.now() - 3 * DAY_MS - index)),
    processingState: 'ready' as const,
  }))
  await db.insertInto('videos').values(videos).execute()
  const entries = indexes.map((index) => ({
    userId: 1,
    videoId: index + 1,
    positionSeconds: index === 0 ? 40 : 0,
    watchedAt: timestamp(new Date(Date.now() - (index < 2 ? 0 : DAY_MS) - index)),
  }))
  await db.insertInto('history').values(entries).execute()
  await db.destroy()
})

/** A page of a member's own browser. */
async function openAsAnn(viewport?: { width: number; height: number }) {
  const opened = await server.open({ ...(viewport && { viewport }) })
  await opened.page.request.post('/api/login', { data: ANN })
  return opened
}

const entry = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) })

test('a visitor finds an empty history and is asked to sign in', async () => {
  const { page, problems } = await server.open()
  await page.goto('/history')
  await page.getByRole('heading', { name: 'Watch History' }).waitFor()
  await page.getByText('Your watch history is empty').waitFor()
  expect(await page.title()).toBe('Watch History · Clutch')
  const main = page.getByRole('main')
  expect(await main.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    '/auth?next=%2Fhistory',
  )
  for (const name of ['Clear filters', 'Clear all watch history']) {
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  }
  await main.getByRole('link', { name: 'Browse videos' }).click()
  await page.waitForURL('/')
  expect(problems).toEqual([])
})

test('what was watched stands under its day, with how far', async () => {
  const { page, problems } = await openAsAnn()
  await page.goto('/history')
  const today = page.getByRole('region', { name: 'Today' })
  await today.getByText('How the last wall fell.').waitFor()
  expect(await today.getByRole('article').count()).toBe(2)
  const first = entry(page, 'Match 0')
  await first.getByText('1.5K views · 3 days ago').waitFor()
  await first.getByRole('img', { name: '40% watched' }).waitFor()
  await page.getByRole('heading', { name: 'Yesterday' }).waitFor()
  await page.goto('/history?q=Match%200')
  await first.waitFor()
  expect(await auditPage(page)).toEqual([])
  expect(problems).toEqual([])
})

test('the list goes on as one scrolls', async () => {
  const { page } = await openAsAnn()
  await page.goto('/history')
  const entries = page.getByRole('article')
  await entries.first().waitFor()
  expect(await entries.count()).toBe(48)
  await entries.last().scrollIntoViewIfNeeded()
  await expect.poll(() => entries.count()).toBe(VIDEOS)
})

longTest(
  'the filter box searches it, the address keeps the words, and Clear filters shows all again',
  async () => {
    const { page } = await openAsAnn(PHONE)
    await page.goto('/history')
    await entry(page, 'Match 3').waitFor()
    await page.getByLabel('Search watch history').fill('match 27')
    await page.waitForURL('/history?q=match%2027')
    await expect.poll(() => page.getByRole('article').count()).toBe(1)
    await page.reload()
    await entry(page, 'Match 27').waitFor()
    expect(await page.getByLabel('Search watch history').inputValue()).toBe('match 27')

    await page.getByLabel('Search watch history').fill('chess')
    await page.getByText('Nothing you watched matches "chess"').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await entry(page, 'Match 3').waitFor()
    expect(await page.getByLabel('Search watch history').inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
  },
)

test('a single video can be removed, and taken back', async () => {
  const { page } = await openAsAnn()
  await page.goto('/history')
  const button = entry(page, 'Match 1').getByRole('button', { name: 'Remove from history' })
  const undo = page.getByRole('button', { name: 'Undo' })
  const saved = () => page.waitForResponse((answer) => answer.url().includes('/trpc/history.re'))
  await button.focus()
  await Promise.all([saved(), page.keyboard.press('Enter')])
  await entry(page, 'Match 1').waitFor({ state: 'detached' })
  await page.getByText('Removed from your history').waitFor()
  await expect.poll(() => undo.evaluate((element) => element.matches(':focus'))).toBe(true)
  await Promise.all([saved(), page.keyboard.press('Enter')])
  await expect.poll(() => button.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.reload()
  await entry(page, 'Match 1').waitFor()
  await Promise.all([saved(), button.click()])
  await undo.waitFor()
  await page.reload()
  await entry(page, 'Match 0').waitFor()
  expect(await entry(page, 'Match 1').count()).toBe(0)
})

longTest('a video that the server did not remove stays in the history', async () => {
  const { page } = await openAsAnn()
  await page.goto('/history')
  const button = entry(page, 'Match 2').getByRole('button', { name: 'Remove from history' })
  await button.waitFor()
  await setConnected(page, false)
  await button.click()
  await page.getByRole('alert').getByText('The video could not be removed').waitFor()
  await button.waitFor()
})

test('recording is paused and taken up again', async () => {
  const { page } = await openAsAnn()
  await page.goto('/history')
  await page.getByRole('button', { name: 'Pause history' }).click()
  await page.getByText('Your history is paused. What you watch now is not added.').waitFor()
  const resume = page.getByRole('button', { name: 'Resume history' })
  await expect.poll(() => resume.isEnabled()).toBe(true)
  await page.reload()
  await resume.click()
  await page.getByRole('button', { name: 'Pause history' }).waitFor()
})

test('cards show how far a member watched', async () => {
  const { page } = await openAsAnn()
  await page.goto('/')
  await entry(page, 'Match 0').getByRole('img', { name: '40% watched' }).waitFor()
})

test('clearing all of it asks first', async () => {
  const { page } = await openAsAnn()
  await page.goto('/history')
  const clear = page.getByRole('button', { name: 'Clear all watch history' })
  const dialog = page.getByRole('dialog')
  await clear.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await entry(page, 'Match 0').count()).toBe(1)
  await clear.click()
  await dialog.getByRole('button', { name: 'Clear history' }).click()
  await page.getByText('Your watch history is empty').waitFor()
  await page.getByText('Watch history cleared').waitFor()
  expect(await clear.isDisabled()).toBe(true)
})
