import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
let count = 0
let page: Page
let userId: number

beforeEach(async () => {
  ;({ page } = await server.open())
  userId = await register(page, `member${++count}`)
})

const section = () => page.getByRole('region', { name: 'Push notifications' })
const openSettings = async () => {
  await page.goto('/settings#notifications')
  await section().waitFor()
}

/** Overrides properties of the browser that a test cannot set in another way. */
const pretend = (facts: { permission?: string; isApple?: boolean }) =>
  page.addInitScript(({ permission, isApple }) => {
    const give = (target: object, name: string, value: unknown) =>
      Object.defineProperty(target, name, { get: () => value })
    if (permission) give(Notification, 'permission', permission)
    if (!isApple) return
    give(
      navigator,
      'userAgent',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604',
    )
    Reflect.deleteProperty(window, 'PushManager')
  }, facts)

/** Turns push on in the session of the page. */
const turnOn = () =>
  writeRows(server, async (db) => {
    const { id: sessionId } = await readRow(db, 'sessions', { userId })
    const [createdAt, keys] = [timestamp(), { p256dh: 'x', auth: 'y' }]
    const row = { userId, sessionId, createdAt, ...keys }
    await addRows(db, 'pushSubscriptions', [
      { ...row, endpoint: `https://fcm.googleapis.com/${userId}`, userAgent: 'Android Chrome/130' },
    ])
  })

test('push is offered by a button, and until then kinds are on or off', async () => {
  await pretend({ permission: 'default' })
  await openSettings()
  await section().getByRole('button', { name: 'Turn on for this device' }).waitFor()
  expect(await page.getByRole('switch', { name: 'Likes' }).count()).toBe(1)
  await page.context().close()
})

longTest('push says where it is blocked, or needs the home screen', async () => {
  await pretend({ permission: 'denied' })
  await openSettings()
  await section().getByText('Notifications from this site are blocked.').waitFor()
  await pretend({ isApple: true })
  await page.reload()
  await section().getByText('add the site to the home screen first').waitFor()
})

longTest('a browser whose push service does not answer says so', async () => {
  // Chromium for tests has no push service, and refuses the permission.
  ;({ page } = await server.open({ hasWorker: true }))
  userId = await register(page, `member${++count}`)
  await pretend({ permission: 'default' })
  await page.addInitScript(() => {
    Notification.requestPermission = async () => 'granted'
  })
  await openSettings()
  await section().getByRole('button', { name: 'Turn on for this device' }).click()
  await page.getByText('The push service of your browser cannot be reached.').waitFor()
  await page.context().close()
})

test('a member with push chooses its place for each kind, quiet hours, and turns it off', async () => {
  await turnOn()
  await openSettings()
  await section().getByText('Chrome on Android').waitFor()
  await chooseOption(page, 'Likes', 'Bell only')
  const muted = () => writeRows(server, (db) => listRows(db, 'mutedNotifications', { userId }))
  await expect.poll(muted).toMatchObject([{ kind: 'likes', mutes: 'push' }])
  await section().getByRole('switch', { name: 'Quiet hours' }).click()
  await section().getByLabel('From').fill('21:30')
  await section().getByLabel('From').blur()
  const hours = () => writeRows(server, (db) => listRows(db, 'quietHours', { userId }))
  await expect.poll(hours).toMatchObject([{ fromMinute: 21 * 60 + 30, toMinute: 8 * 60 }])
  expect(await auditPage(page, { within: '#notifications' })).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await findOutside(page)).toEqual([])
  await section().getByRole('button', { name: 'Turn off for Chrome on Android' }).click()
  await page.getByRole('switch', { name: 'Likes' }).waitFor()
  expect(await page.getByRole('switch', { name: 'Likes' }).isChecked()).toBe(true)
})
