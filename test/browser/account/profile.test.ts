import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { PHONE } from '#test/support/browser.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows, changeRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
let ann: number
let quiet: number
let small: number

beforeAll(async () => {
  await writeRows(server, async (db) => {
    ann = await addMember(db, 'Ann of Rust')
    quiet = await addMember(db, 'Quiet One')
    small = await addMember(db, 'Small Time')
    await addVideos(db, [{ userId: small, title: 'The one clip' }])
    await changeRows(db, 'users', {
      where: { id: ann },
      values: {
        bio: 'Solo wipes.\nMore on https://example.org/ann',
        subscriberCount: 1199,
        showEmail: 1,
        createdAt: '2025-03-02T12:00:00.000Z',
      },
    })
    const matches = Array.from({ length: 60 }, (_, index) => ({
      userId: ann,
      title: `Match ${index}`,
    }))
    const [first = 0] = await addVideos(db, matches)
    await addVideos(db, [{ userId: ann, title: 'Nobody knows', isAnonymous: 1 }])
    const now = timestamp()
    const list = { userId: ann, kind: 'list' as const, createdAt: now, updatedAt: now }
    await addRows(db, 'playlists', [
      { ...list, title: 'Best of spring', visibility: 'public' },
      { ...list, title: 'For myself', visibility: 'private' },
    ])
    await addRows(db, 'playlistItems', { playlistId: 1, videoId: first, position: 0, addedAt: now })
  })
})

test('a visitor reads a channel and is asked to sign in before subscribing', async () => {
  const { page, problems } = await server.open()
  await page.goto(`/profile/${ann}`)
  await page.getByRole('heading', { level: 1, name: 'Ann of Rust' }).waitFor()
  await page.getByText('@annofrust').waitFor()
  await page.getByText('1.2K subscribers').waitFor()
  await page.getByRole('heading', { name: 'Uploads' }).waitFor()
  expect(await page.getByText('Nobody knows').count()).toBe(0)
  expect(await page.title()).toBe('Ann of Rust · Clutch')
  await page.getByRole('link', { name: 'Sign in to subscribe' }).click()
  await page.waitForURL(`/auth?next=%2Fprofile%2F${ann}`)
  expect(problems).toEqual([])
})

longTest('the uploads go on as one scrolls', async () => {
  const { page } = await server.open()
  await page.goto(`/profile/${ann}`)
  const cards = page.getByRole('article')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(48)
  await cards.last().scrollIntoViewIfNeeded()
  await expect.poll(() => cards.count()).toBe(60)
})

longTest('subscribing shows at once, and goes back when the server refuses', async () => {
  const { page } = await server.open()
  await register(page, 'fan')
  await page.goto(`/profile/${ann}`)
  const answers = Promise.withResolvers<void>()
  await page.route(/subscription\.create/, async (route) => {
    await answers.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await page.getByRole('button', { name: 'Subscribed' }).waitFor()
  await page.getByText('1.2K subscribers').waitFor()
  answers.resolve()
  const toast = page.getByRole('status').filter({ hasText: 'Subscribed' })
  await toast.getByText('Ann of Rust').waitFor()
  await page.reload()
  const subscribed = page.getByRole('button', { name: 'Subscribed' })
  await subscribed.waitFor()

  await page.route(/subscription\.delete/, (route) => route.abort())
  await subscribed.click()
  await page
    .getByRole('alert')
    .getByText('Failed to unsubscribe: The server could not be reached.')
    .waitFor()
  await subscribed.waitFor()
  await page.unroute(/subscription\.delete/)
  await subscribed.click()
  await page.getByRole('status').getByText('Unsubscribed').waitFor()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
})

longTest('the address holds the tab, and arrow keys move between tabs', async () => {
  const { page } = await server.open()
  await page.goto(`/profile/${quiet}`)
  await page.getByText('No videos uploaded yet').waitFor()
  expect(await page.getByRole('link', { name: 'Upload a video' }).count()).toBe(0)
  const panel = page.getByRole('tabpanel')
  await page.getByRole('tab', { name: 'Videos' }).focus()
  for (const [tab, text] of [
    ['playlists', 'No playlists available'],
    ['community', 'No community posts available'],
    ['channels', 'No channels available'],
  ]) {
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(`/profile/${quiet}?tab=${tab}`)
    await panel.getByText(text ?? '').waitFor()
    await panel.getByText('coming soon').waitFor()
  }
  await page.keyboard.press('End')
  await panel.getByText('No description provided.').waitFor()
  await panel.getByText('No contact information provided.').waitFor()
  await panel.getByText('0 subscribers').waitFor()
  await page.reload()
  await expect.poll(() => selectedTab(page)).toBe('About')
})

const selectedTab = (page: Page) => page.getByRole('tab', { selected: true }).innerText()

test('About shows the bio with its links, the day of joining and the address', async () => {
  const { page } = await server.open()
  await page.goto(`/profile/${ann}?tab=about`)
  const panel = page.getByRole('tabpanel')
  await panel.getByText('Joined Mar 2, 2025').waitFor()
  const link = panel.getByRole('link', { name: 'https://example.org/ann' })
  expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc')
  const mail = panel.getByRole('link', { name: 'annofrust@example.org' })
  expect(await mail.getAttribute('href')).toBe('mailto:annofrust@example.org')
})

test('public playlists are cards that lead to them', async () => {
  const { page } = await server.open()
  await page.goto(`/profile/${ann}?tab=playlists`)
  const card = page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ hasText: 'Best of spring' })
  await card.getByText('1 video').waitFor()
  expect(await card.getByRole('link').getAttribute('href')).toBe('/playlist/1')
  expect(await page.getByText('For myself').count()).toBe(0)
})

test('on their own channel a member can edit it and upload, but not subscribe', async () => {
  const { page } = await server.open()
  const id = await register(page, 'newcomer')
  await page.goto(`/profile/${id}`)
  const edit = page.getByRole('link', { name: 'Edit channel' })
  expect(await edit.getAttribute('href')).toBe('/settings')
  await page.getByRole('link', { name: 'Upload a video' }).waitFor()
  expect(await page.getByRole('button', { name: /Subscribe/ }).count()).toBe(0)
})

test.each(isLongForm ? ['999999', 'nobody'] : ['nobody'])(
  '/profile/%s is not found',
  async (id) => {
    const { page } = await server.open()
    await page.goto(`/profile/${id}`)
    await page.getByRole('heading', { name: 'Profile Not Found' }).waitFor()
    await page.getByRole('link', { name: 'Return to Home' }).click()
    await page.waitForURL('/')
  },
)

longTest.each([
  ['a desktop', undefined],
  ['a phone', PHONE],
] as const)('everybody can use the channel on %s', async (_, viewport) => {
  const { page } = await server.open(viewport && { viewport })
  const addresses = [small, `${ann}?tab=playlists`, `${ann}?tab=about`]
  for (const address of addresses) {
    await page.goto(`/profile/${address}`)
    await page.getByRole('tabpanel').getByRole('heading').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await auditPage(page)).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
  }
})
