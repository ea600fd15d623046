import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
const channels: number[] = []

beforeAll(async () => {
  await writeRows(server, async (db) => {
    for (const name of ['Ann of Rust', 'Bulwark', 'Stranger']) {
      const userId = await addMember(db, name)
      channels.push(userId)
      await addVideos(db, [{ userId, title: `Match of ${name}`, duration: 3671, viewCount: 1500 }])
    }
  })
})

/** Subscribes a member to the first two of three channels. */
async function followTwo(subscriberId: number): Promise<void> {
  const rows = channels
    .slice(0, 2)
    .map((channelId) => ({ subscriberId, channelId, subscribedAt: timestamp() }))
  await writeRows(server, (db) => db.insertInto('subscriptions').values(rows).execute())
}

test('a visitor is asked to sign in', async () => {
  const { page, problems } = await server.open()
  await page.goto('/subscriptions')
  await page.getByText('Keep track of what you watch').waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
  await page.getByRole('link', { name: 'Sign in to subscribe' }).click()
  await page.waitForURL('/auth?next=%2Fsubscriptions')
  expect(problems).toEqual([])
})

test('the feed shows what the followed channels uploaded', async () => {
  const { page, problems } = await server.open()
  await followTwo(await register(page, 'follower'))
  await page.goto('/subscriptions')
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  const card = page.getByRole('article').filter({ hasText: 'Match of Bulwark' })
  await card.getByText('No thumbnail').waitFor()
  await card.getByText('1:01:11').waitFor()
  await card.getByText('1.5K views').waitFor()
  await card.getByRole('link', { name: 'Match of Bulwark' }).waitFor()
  expect(await page.title()).toBe('Subscriptions · Clutch')
  expect(problems).toEqual([])
})

test('the Channels tab lists the channels, and leaving one is confirmed', async () => {
  const { page } = await server.open()
  await followTwo(await register(page, 'leaver'))
  await page.goto('/subscriptions')
  await page.getByRole('tab', { name: 'Channels' }).click()
  await page.waitForURL('/subscriptions?tab=channels')
  const card = page.getByRole('article').filter({ hasText: 'Ann of Rust' })
  await card.getByText('@annofrust').waitFor()
  expect(await card.getByRole('link').getAttribute('href')).toBe(`/profile/${channels[0]}`)
  await card.getByRole('button', { name: 'Subscribed' }).press('Enter')
  const toast = page.getByRole('status').filter({ hasText: 'Unsubscribed' })
  await toast.getByText('Ann of Rust').waitFor()
  await card.waitFor({ state: 'detached' })
  const next = page.getByRole('article').filter({ hasText: 'Bulwark' })
  const hasFocus = () =>
    next.getByRole('button').evaluate((button) => button === document.activeElement)
  expect(await hasFocus()).toBe(true)
  await page.getByRole('tab', { name: 'Videos' }).click()
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
})

test('both tabs say when there is nothing, and where to go', async () => {
  const { page } = await server.open()
  await register(page, 'loner')
  await page.goto('/subscriptions')
  const panel = page.getByRole('tabpanel')
  await panel.getByText('No new videos').waitFor()
  expect(await panel.getByRole('link', { name: 'Browse videos' }).getAttribute('href')).toBe('/')
  await page.getByRole('tab', { name: 'Channels' }).click()
  await panel.getByText('No subscriptions yet').waitFor()
  await panel.getByRole('link', { name: 'Discover channels' }).waitFor()
})

test('who follows nobody is shown people to follow, who stay while some are followed', async () => {
  const { page, problems } = await server.open()
  await register(page, 'newcomer')
  for (const path of ['/', '/subscriptions']) {
    await page.goto(path)
    const people = page.getByRole('region', { name: 'People to follow' })
    await people.scrollIntoViewIfNeeded()
    await people.getByRole('article').filter({ hasText: 'Stranger' }).waitFor()
    expect(await auditPage(page)).toEqual([])
  }
  const people = page.getByRole('region', { name: 'People to follow' })
  const stranger = people.getByRole('article').filter({ hasText: 'Stranger' })
  await stranger.getByRole('button', { name: 'Subscribe' }).click()
  await stranger.getByRole('button', { name: 'Subscribed' }).waitFor()
  expect(await people.getByRole('article').count()).toBe(3)
  await page.reload()
  await page.getByText('Match of Stranger').waitFor()
  expect(await people.count()).toBe(0)
  expect(problems).toEqual([])
})

longTest.each([
  ['a desktop', undefined, 'wide'],
  ['a phone', PHONE, 'narrow'],
] as const)('everybody can use the subscriptions on %s', async (_, viewport, username) => {
  const { page } = await server.open(viewport && { viewport })
  await followTwo(await register(page, username))
  for (const tab of ['videos', 'channels']) {
    await page.goto(`/subscriptions?tab=${tab}`)
    await page.getByRole('article').first().waitFor()
    expect(await auditPage(page)).toEqual([])
  }
})
