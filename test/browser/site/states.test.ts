import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP } from '#test/support/browser.ts'
import type { SavedSession } from '#test/support/full-site.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const CALLS = /\/trpc\//
const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'
/** A page that asks for the session alone: from here one goes on without a new document. */
const START = '/no/such/page'

const server = setUpHostedSite()
let session: SavedSession
let context: BrowserContext

beforeAll(async () => {
  const { page } = await server.open()
  const memberId = await register(page, 'stella')
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Bulwark')
    const [id = 0] = await addVideos(db, [
      { userId, title: 'Their match', duration: 60, tags: '["ace"]' },
      { userId: memberId, title: 'Own match' },
    ])
    const now = timestamp()
    await addRows(db, 'history', {
      userId: memberId,
      videoId: id,
      positionSeconds: 9,
      watchedAt: now,
    })
    const list = { userId: memberId, kind: 'list' as const, title: 'Best of' }
    await addRows(db, 'playlists', { ...list, createdAt: now, updatedAt: now })
    await addRows(db, 'subscriptions', {
      subscriberId: memberId,
      channelId: userId,
      subscribedAt: now,
    })
  })
  session = await page.context().storageState()
  await page.context().close()
})
beforeEach(async () => {
  const look = { viewport: DESKTOP, serviceWorkers: 'block' } as const
  const options = { baseURL: server.origin, storageState: session, ...look }
  context = await server.browser.newContext(options)
})
afterEach(() => context.close())

/** Holds every call back: let go, it gets the real answer, or none as from a server that is down. */
async function holdCalls(page: Page) {
  const held = Promise.withResolvers<'let go' | 'cut off'>()
  await page.route(CALLS, async (route) => {
    const isCutOff = (await held.promise) === 'cut off'
    await (isCutOff ? route.abort() : route.continue()).catch(() => {})
  })
  return held
}

const STATES = [
  { path: '/', text: 'Their match', problem: `Error loading videos: ${UNREACHABLE}` },
  { path: '/?category=GTA', text: 'No videos found in category GTA', problem: UNREACHABLE },
  { path: '/video/1', text: 'No comments yet', problem: 'Error Loading Video' },
  { path: '/profile/2', text: 'Their match', problem: UNREACHABLE },
  { path: '/search?q=match', text: '2 results found', problem: 'Error searching for videos' },
  { path: '/studio', text: 'Own match', problem: 'Failed to fetch videos' },
  { path: '/history', text: 'Their match', problem: UNREACHABLE },
  { path: '/subscriptions', text: 'Their match', problem: `Error loading videos: ${UNREACHABLE}` },
  { path: '/explore', text: '#ace', problem: UNREACHABLE },
  { path: '/library', text: 'Best of', problem: UNREACHABLE },
  { path: '/playlist/1', text: 'Best of', problem: UNREACHABLE },
  { path: '/playlist/liked', text: 'No liked videos', problem: UNREACHABLE },
]

/** Goes to an address as a link does, whether the server is there or not. */
const goTo = (page: Page, path: string) =>
  page.evaluate((wanted) => {
    history.pushState({}, '', wanted)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

async function openStart(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(START)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  return page
}

const QUICK_STATES = ['/', '/video/1']

test.each(isLongForm ? STATES : STATES.filter(({ path }) => QUICK_STATES.includes(path)))(
  '$path loads in boxes, says what went wrong and comes back when asked again',
  async ({ path, text, problem }) => {
    const page = await openStart()
    const held = await holdCalls(page)
    await goTo(page, path)
    await page
      .getByRole('main')
      .getByRole('status', { name: /^Loading/ })
      .first()
      .waitFor()
    await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
    expect(await page.getByRole('main').getByText(text).count()).toBe(0)
    expect(await auditPage(page)).toEqual([])
    held.resolve('cut off')
    const main = page.getByRole('main')
    await main.getByRole('alert').getByText(problem).first().waitFor()
    // The studio has its own words for all failures.
    if (path !== '/studio') await main.getByText(UNREACHABLE).first().waitFor()
    expect(await auditPage(page)).toEqual([])
    await page.unroute(CALLS)
    const retry = main.getByRole('button', { name: /^Try again$/i })
    for (let left = await retry.count(); left > 0; left--) await retry.first().click()
    await page.getByRole('main').getByText(text).first().waitFor()
  },
)

test('the session is waited for in boxes, and the page says when it cannot be read', async () => {
  const page = await context.newPage()
  const held = await holdCalls(page)
  await page.goto('/studio')
  await page.locator('.skeleton').waitFor()
  expect(await page.getByRole('banner').count()).toBe(0)
  held.resolve('cut off')
  await page.getByText(UNREACHABLE).waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.unroute(CALLS)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Content Studio' }).waitFor()
})

test.each(isLongForm ? ['/upload', '/upload-chunked', '/studio', '/settings'] : ['/studio'])(
  '%s sends a visitor to sign in',
  async (path) => {
    const { page, problems } = await server.open()
    await page.goto(path)
    await page.waitForURL(`/auth?next=${encodeURIComponent(path)}`)
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    expect(problems).toEqual([])
  },
)

test.each(isLongForm ? ['/auth', '/auth?tab=register'] : ['/auth'])(
  '%s sends a member home',
  async (path) => {
    const page = await context.newPage()
    await page.goto(path)
    await page.waitForURL('/')
    await page.getByRole('main').getByText('Their match').first().waitFor()
  },
)
