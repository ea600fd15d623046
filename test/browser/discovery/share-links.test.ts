import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

const DEAD = 'This link does not work any more'

const server = setUpHostedSite({ env: { RENDITIONS: '240' } })
let owner: Page
let videoId: number

beforeAll(async () => {
  owner = (await server.open()).page
  await register(owner, 'nova')
  const path = await makeClip({ path: join(server.dataFolder, 'a.mp4'), seconds: 20 })
  const details = { title: 'Between us', description: 'Only #here', visibility: 'private' }
  videoId = await uploadClip(owner, path, details)
  const data = { videoId, content: 'What a shot' }
  await owner.request.post('/api/comments', { data })
})

const make = async (more: object = {}) => {
  const data = { videoId, ...more }
  const answer = await owner.request.post('/api/share-links', { data })
  return (await answer.json()) as { id: number; url: string }
}

const openAsVisitor = async (url: string) => {
  const opened = await server.open({ viewport: PHONE })
  await opened.page.goto(new URL(url).pathname)
  return opened
}

/** Counts the looks at a file that are answered with a 404 from now on. */
function countRefused(page: Page): () => number {
  let count = 0
  page.on('response', (response) => {
    const isLook = response.request().method() === 'HEAD'
    if (isLook && response.status() === 404) count++
  })
  return () => count
}

test('a link plays signed out on a phone, leads nowhere else, and is dead with the next look after its end', async () => {
  const { id, url } = await make()
  const { page, problems } = await openAsVisitor(url)
  await page.getByRole('heading', { name: 'Between us', level: 1 }).waitFor()
  await page.getByText('The nova', { exact: true }).first().waitFor()
  await page.getByText('What a shot').waitFor()
  expect(await auditPage(page)).toEqual([])
  expect(await findOutside(page)).toEqual([])
  const links = page.getByRole('link')
  expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    '/',
    expect.stringMatching(/^\/auth\?next=%2Fs%2F/),
  ])
  const video = page.locator('video')
  await video.evaluate((element: HTMLVideoElement) => element.play())
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime))
    .toBeGreaterThan(0)
  expect(problems).toEqual([])
  // The page looks twice a second.
  const refused = countRefused(page)
  await owner.request.delete(`/api/share-links/${id}`)
  await page.getByRole('heading', { name: DEAD }).waitFor()
  expect(refused()).toBe(1)
  expect(await page.locator('video').count()).toBe(0)
  expect(await auditPage(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: DEAD }).waitFor()
})

longTest(
  'a password is asked for, and not again on a reload, which opens the link no second time',
  async () => {
    const { url } = await make({ password: 'open sesame', maxViews: 1 })
    const { page } = await openAsVisitor(url)
    await page.getByRole('heading', { name: 'This link asks for a password' }).waitFor()
    expect(await page.content()).not.toContain('Between us')
    await page.getByLabel('Password', { exact: true }).fill('open barley')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('That is not the password of this link.').waitFor()
    expect(await auditPage(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill('open sesame')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Between us' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Between us' }).waitFor()
    const other = await openAsVisitor(url)
    await other.page.getByRole('heading', { name: DEAD }).waitFor()
  },
)

test('its owner makes a link in the share dialog, copies it, and sees and ends what was made', async () => {
  await owner
    .context()
    .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin })
  await owner.setViewportSize(PHONE)
  await owner.goto(`/video/${videoId}`)
  await owner.getByRole('button', { name: 'More ways to share' }).click()
  await owner.getByRole('menuitem', { name: 'Embed and QR code' }).click()
  const section = owner.getByRole('region', { name: 'Share links' })
  await section.getByRole('button', { name: 'New share link' }).click()
  await section.getByLabel('Note for yourself').fill('For Ben')
  await section.getByLabel('Maximum number of opens').fill('none')
  await section.getByRole('button', { name: 'Create link' }).click()
  await section.getByText('A whole number, or nothing.').waitFor()
  await section.getByLabel('Maximum number of opens').fill('5')
  await section.getByRole('button', { name: 'Create link' }).click()
  await section.getByRole('button', { name: 'Copy new share link' }).click()
  const url = await owner.evaluate(() => navigator.clipboard.readText())
  expect(url).toMatch(/\/s\/[\w-]{22}$/)
  const row = section.getByRole('listitem').filter({ hasText: 'For Ben' })
  await row.getByText('Valid').waitFor()
  expect(await auditPage(owner, { within: '[role=dialog]' })).toEqual([])
  const { page } = await openAsVisitor(url)
  await page.getByRole('heading', { name: 'Between us' }).waitFor()
  await row.getByRole('button', { name: 'Revoke For Ben' }).click()
  await owner.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await row.getByText('Revoked').waitFor()
  await row.getByText('opened once of 5').waitFor()
  await page.getByRole('heading', { name: DEAD }).waitFor()
  await page.context().close()

  await owner.goto('/studio')
  await owner.getByRole('button', { name: 'Share preview of Between us' }).click()
  await section.getByText('For Ben').waitFor()
  await make()
  await owner.reload()
  await owner.getByRole('button', { name: 'Share preview of Between us' }).click()
  await section.getByRole('button', { name: 'Revoke all links' }).click()
  await owner.getByRole('button', { name: 'Revoke all', exact: true }).click()
  await owner.getByText('Share links revoked').waitFor()
  await section.getByText('Valid').first().waitFor({ state: 'detached' })
})
