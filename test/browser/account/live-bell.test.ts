import type { APIRequestContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { openPage } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const PASSWORD = 'correct horse'

const server = setUpHostedSite()

async function register(request: APIRequestContext, username: string): Promise<number> {
  const data = { username, email: `${username}@example.org`, displayName: username }
  const answer = await request.post(`${server.origin}/api/register`, {
    data: { ...data, password: PASSWORD },
  })
  return ((await answer.json()) as { id: number }).id
}

async function subscribe(username: string, channelId: number): Promise<void> {
  const fan = await server.browser.newContext()
  await register(fan.request, username)
  const answer = await fan.request.post(`${server.origin}/api/subscriptions`, {
    data: { channelId },
  })
  expect(answer.status()).toBe(201)
  await fan.close()
}

/** Opens the home page of a user new, whose bell listens. */
async function openBell(username: string, origin: string) {
  const { page } = await openPage(server.browser, { origin })
  const channelId = await register(page.request, username)
  const listening = page.waitForResponse(/live\.onChange/)
  await page.goto('/')
  await listening
  const unread = (count: number) =>
    page.getByRole('button', { name: `Notifications, ${count} unread` })
  return { page, channelId, unread }
}

test('the bell finds its line again by itself, and what happened meanwhile', async () => {
  const line = await openBreakableLine(server.port)
  const { page, channelId, unread } = await openBell('bella', line.origin)
  await subscribe('first', channelId)
  await unread(1).waitFor()
  line.breakDown()
  await subscribe('second', channelId)
  await subscribe('third', channelId)
  expect(await unread(1).count()).toBe(1)
  line.mend()
  await unread(3).waitFor()
  await subscribe('fourth', channelId)
  await unread(4).waitFor()
  await page.context().close()
  await line.stop()
})

test('the tooltip of the bell does not lie over its open panel', async () => {
  const { page } = await openPage(server.browser, { origin: server.origin })
  await register(page.request, 'bertha')
  await page.clock.install()
  await page.goto('/')
  const bell = page.getByRole('button', { name: 'Notifications' })
  const tooltips = async () => {
    await page.mouse.move(1, 1)
    await page.clock.runFor(1000)
    await bell.hover()
    await page.clock.runFor(1000)
    return page.getByRole('tooltip').allTextContents()
  }
  await expect.poll(tooltips).toEqual(['Notifications'])
  await bell.click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByRole('button', { name: 'Refresh' }).waitFor()
  expect(await tooltips()).toEqual([])
  await page.context().close()
})

longTest('the bell goes on when a new password has ended its session', async () => {
  const { page, channelId, unread } = await openBell('belinda', server.origin)
  const answer = await page.request.post('/trpc/settings.changePassword', {
    data: { currentPassword: PASSWORD, newPassword: 'battery staple' },
  })
  expect(answer.status()).toBe(200)
  await subscribe('fifth', channelId)
  await unread(1).waitFor()
})
