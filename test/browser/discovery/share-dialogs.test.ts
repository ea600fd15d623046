import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

/** A member with one video of their own. */
async function openMember(username: string, viewport = DESKTOP) {
  const opened = await server.open({ viewport })
  await opened.page
    .context()
    .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin })
  const userId = await register(opened.page, username)
  const [id = 0] = await writeRows(server, (db) =>
    addVideos(db, [{ userId, title: 'Ace "now"', duration: 100, width: 1920, height: 1080 }]),
  )
  return { ...opened, id }
}

async function expectReadable(page: Page) {
  expect(await auditPage(page, { within: '[role=dialog]' })).toEqual([])
  const overflow = await page
    .getByRole('dialog')
    .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const SIZES = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const

test.each(quickCases(SIZES, ['desktop']))(
  'on a %s, Share gives the link, the embed code and a QR code from one second',
  async (name, viewport) => {
    const { page, id } = await openMember(`sharer-${name}`, viewport)
    await page.goto(`/video/${id}`)
    const opener = page.getByRole('button', { name: 'More ways to share' })
    await opener.click()
    await page.getByRole('menuitem', { name: 'Embed and QR code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share' })
    await dialog.getByLabel('Start at').check()
    await dialog.getByLabel('Start time').fill('9:99:99')
    await dialog.getByText('A time before 1:40, like 1:23.').waitFor()
    await dialog.getByLabel('Start time').fill('1:23')
    await dialog.getByLabel('Embedded, play at once without sound').check()
    await expectReadable(page)
    await dialog.getByRole('button', { name: 'Copy embed code' }).click()
    const frame = await page.evaluate(
      (html) => {
        const [element] = new DOMParser().parseFromString(html, 'text/html').body.children
        return [element?.getAttribute('src'), element?.getAttribute('title')]
      },
      await clipboard(page),
    )
    expect(frame).toEqual([`${server.origin}/embed/${id}?t=83&autoplay=1`, 'Ace "now"'])
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    expect(await clipboard(page)).toBe(`${server.origin}/v/${id}?t=83`)
    await dialog.getByRole('img', { name: `QR code of ${server.origin}/v/${id}?t=83` }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  },
)

longTest(
  'an API token is shown once, uploads, brings a ShareX configuration, and is revoked',
  async () => {
    const { page } = await openMember('scripter', PHONE)
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'API tokens' })
    await section.getByText('You have no API tokens.').waitFor()
    await section.getByRole('button', { name: 'New API token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create API token' }).click()
    await dialog.getByText('Give it a name, so you can tell it apart later.').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('My desktop')
    await expectReadable(page)
    await dialog.getByRole('button', { name: 'Create API token' }).click()
    const password = page.getByRole('dialog', { name: 'Confirm your password' })
    await password.getByLabel('Password', { exact: true }).fill('correct horse')
    await password.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('it is not shown again').waitFor()
    await expectReadable(page)
    const token = await dialog.getByLabel('API token', { exact: true }).inputValue()
    const downloads = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'ShareX configuration' }).click()
    const download = await downloads
    expect(download.suggestedFilename()).toBe('clutch.sxcu')
    const configuration = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(configuration).toMatchObject({
      RequestURL: `${server.origin}/api/uploads/file`,
      Headers: { Authorization: `Bearer ${token}` },
      Body: 'MultipartFormData',
      FileFormName: 'file',
      URL: '{json:url}',
    })
    const form = new FormData()
    form.append(configuration.FileFormName, new Blob(['no video']), 'a.mp4')
    const send = () =>
      fetch(configuration.RequestURL, {
        method: 'POST',
        headers: configuration.Headers,
        body: form,
      })
    expect((await send()).status).toBe(422)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await section.getByRole('button', { name: 'Revoke My desktop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await section.getByText('You have no API tokens.').waitFor()
    expect((await send()).status).toBe(401)
  },
)

longTest('the studio shows how a link will look, and what is in the way', async () => {
  const { page } = await openMember('owner')
  await page.goto('/studio')
  await page.getByRole('button', { name: 'Share preview of Ace "now"' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share preview' })
  for (const name of ['Discord', 'X', 'iMessage']) {
    await dialog.getByRole('figure', { name: `${name} Shows a picture`, exact: true }).waitFor()
  }
  await dialog.getByText('There is no picture yet: cards have none to show.').waitFor()
  await dialog.getByText('is an address of your own network').waitFor()
  await dialog.getByText(/^What the page tells them: \d+ tags$/).click()
  await dialog.getByText('og:title').waitFor()
  await expectReadable(page)
})
