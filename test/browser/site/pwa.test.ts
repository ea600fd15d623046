import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PushMessage } from '#shared/push.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { passOn, startLocalServer } from '#test/support/proxy.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '' } })
const PASSWORD = 'correct horse'

const open = async (path: string, isPhone = false) => {
  const { page, problems } = await server.open({ hasWorker: true, isPhone })
  await page.goto(path)
  await page.evaluate(() => navigator.serviceWorker.ready)
  return { page, problems, cdp: await page.context().newCDPSession(page) }
}

test('the site can be installed, with its name and a place in the share sheet', async () => {
  const { page, cdp } = await open('/')
  const { errors, data = '' } = await cdp.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data)).toMatchObject({
    name: 'Clutch',
    share_target: { action: '/share', method: 'POST', enctype: 'multipart/form-data' },
  })
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  await page.context().close()
})

test('without a network a page says so, and comes once the site answers again', async () => {
  const { page } = await open('/')
  await page.context().setOffline(true)
  await page.goto('/explore')
  await page.getByRole('heading', { name: 'Clutch can’t be reached' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/explore')
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Clutch can’t be reached' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  expect(await page.evaluate(() => caches.keys())).toHaveLength(1)
  await page.context().close()
})

test('the server gets a navigation once, to a page and to an address of its interface', async () => {
  const asked: string[] = []
  const proxy = await startLocalServer((exchange) => {
    asked.push(`${exchange.asked.url}`)
    passOn(exchange, server.origin)
  })
  const { page } = await server.open({ hasWorker: true })
  await page.goto(proxy.origin)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe('activated')
  const paths = ['/api/health?once', '/explore?once']
  for (const path of paths) await page.goto(proxy.origin + path)
  expect(asked.filter((path) => path.endsWith('?once'))).toEqual(paths)
  await page.context().close()
  await proxy.stop()
})

/** Sends a file like the share sheet, which a test cannot open. */
async function share(page: Page, name: string): Promise<void> {
  const path = join(server.dataFolder, name)
  await makeClip({ path, seconds: 1 })
  const buffer = await readFile(path)
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<form action="/share" method="post" enctype="multipart/form-data"><input type="file" name="videos" id="shared"></form>',
    )
  })
  await page.locator('#shared').setInputFiles({ name, mimeType: 'video/mp4', buffer })
  await page.evaluate(() =>
    document.querySelector<HTMLFormElement>('form[action="/share"]')?.submit(),
  )
}

const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('shared-files'))) return 0
    return (await (await caches.open('shared-files')).keys()).length
  })

const question = (page: Page) => page.getByRole('dialog', { name: 'Upload 1 shared video?' })

test('a shared file is not uploaded before the member agrees, and can be discarded', async () => {
  const { page } = await open('/', true)
  await register(page, 'asked')
  await share(page, 'Unwanted.mp4')
  await question(page).getByText('Unwanted.mp4').waitFor()
  await question(page)
    .getByText(/^\d+KB$/)
    .waitFor()
  const answer = await page.request.get('/trpc/upload.listOpen')
  expect((await answer.json()).result.data).toEqual([])
  expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0)
  await page.reload()
  await question(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => keptFiles(page)).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: 'Upload Video' }).waitFor()
  await page.context().close()
})

longTest('a shared file waits through a sign-in and reloads until it is uploaded', async () => {
  const { page } = await open('/', true)
  await register(page, 'sharer')
  await page.context().clearCookies()
  await page.goto('/')
  await share(page, 'Ääce.mp4')
  await page.waitForURL(/\/auth\?next=%2Fupload$/)
  await page.reload()
  await page.getByLabel('Username').fill('sharer')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const isCutOff = await page.route('**/api/uploads/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const agree = () => question(page).getByRole('button', { name: 'Upload' }).click()
  await agree()
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('Ääce').first().waitFor()
  expect(await keptFiles(page)).toBe(1)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await agree()
  await tray.getByText('Ääce').first().waitFor()
  await isCutOff.dispose()
  await tray.getByText('Ready').or(tray.getByText('1 upload complete')).first().waitFor()
  await expect.poll(() => keptFiles(page)).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: 'Upload Video' }).waitFor()
  await page.context().close()
})

test('signing out and the end of a session remove the badge and notifications of the system', async () => {
  const { page } = await open('/')
  await register(page, 'leaver')
  // Chromium without windows has no notifications of the system.
  await page.addInitScript(() => {
    const done: string[] = []
    Object.assign(globalThis, { done })
    navigator.setAppBadge = async (count) => void done.push(`badge ${count}`)
    const notification = { close: () => void done.push('closed') } as Notification
    ServiceWorkerRegistration.prototype.getNotifications = async () => [notification]
  })
  type Scope = { done: string[] }
  const readDone = () => page.evaluate(() => (globalThis as unknown as Scope).done)
  const forgetDone = () => page.evaluate(() => (globalThis as unknown as Scope).done.splice(0))
  await page.goto('/settings')
  // There are no unread notifications.
  await expect.poll(readDone).toContain('closed')
  await forgetDone()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByText('Logged out').waitFor()
  await expect.poll(readDone).toEqual(expect.arrayContaining(['badge 0', 'closed']))
  await register(page, 'ended')
  await page.goto('/settings')
  await expect.poll(readDone).toContain('closed')
  await page.context().clearCookies()
  await page.goto('/auth')
  await expect.poll(readDone).toEqual(expect.arrayContaining(['badge 0', 'closed']))
  await page.context().close()
})

async function registrationOf(cdp: CDPSession): Promise<string> {
  const found = Promise.withResolvers<string>()
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    if (registrations[0]) found.resolve(registrations[0].registrationId)
  })
  await cdp.send('ServiceWorker.enable')
  return found.promise
}

type WorkerScope = typeof globalThis & {
  registration: ServiceWorkerRegistration
  shown: { title: string; options: NotificationOptions | undefined }[]
  badges: (number | undefined)[]
  ExtendableEvent: typeof Event
}

test('a push message is shown and counted, and opens its page', async () => {
  const { page, cdp } = await open('/')
  const message: PushMessage = {
    ...{ title: 'New comment on "Ace"', body: 'Tom: Nice', link: '/explore?from=push' },
    ...{ tag: 'comments v1', unread: 3 },
  }
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('There is no service worker.')
  // Chromium without windows has no notifications of the system.
  await worker.evaluate(() => {
    const scope = globalThis as WorkerScope
    Object.assign(scope, { shown: [], badges: [] })
    navigator.setAppBadge = async (count) => void scope.badges.push(count)
    scope.registration.showNotification = async (title, options) =>
      void scope.shown.push({ title, options })
  })
  const registrationId = await registrationOf(cdp)
  await cdp.send('ServiceWorker.deliverPushMessage', {
    ...{ origin: server.origin, registrationId, data: JSON.stringify(message) },
  })
  const readShown = () => worker.evaluate(() => (globalThis as WorkerScope).shown)
  const { title, body, tag, link } = message
  await expect.poll(readShown).toMatchObject([{ title, options: { body, tag, data: { link } } }])
  expect(await worker.evaluate(() => (globalThis as WorkerScope).badges)).toEqual([3])
  await worker.evaluate(() => {
    const { ExtendableEvent, shown } = globalThis as WorkerScope
    const notification = { close: () => {}, data: shown[0]?.options?.data }
    dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification }))
  })
  await page.waitForURL(/\/explore\?from=push$/)
  await page.context().close()
})
