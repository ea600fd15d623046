import { appendFile, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { makeClip } from '#test/support/clips.ts'
import type { SavedSession } from '#test/support/full-site.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const root = await mkdtemp(join(tmpdir(), 'clutch-inbox-'))
const folder = join(root, 'clips')
await mkdir(join(folder, 'ann'), { recursive: true })
await mkdir(join(folder, 'Matches'))
const env = { INBOX: folder, INBOX_SECONDS: '1', RENDITIONS: '180' }
const server = setUpHostedSite({ env })
const sessions: Record<string, SavedSession> = {}
let clips = 0

beforeAll(async () => {
  for (const name of ['chief', 'ann']) {
    const { page } = await server.open()
    await register(page, name, name === 'chief' ? await server.setupCode() : undefined)
    sessions[name] = await page.context().storageState()
    await page.context().close()
  }
  await makeClip({ path: join(root, 'clip.mp4'), seconds: 2 })
})

afterAll(() => rm(root, { recursive: true, force: true }))

/** Writes a file whose content differs from every other file. */
async function put(path: string): Promise<void> {
  const free = Buffer.alloc(16)
  free.writeUInt32BE(16)
  free.write('free', 4)
  clips += 1
  free.writeUInt32BE(clips, 8)
  await copyFile(join(root, 'clip.mp4'), join(root, 'next.mp4'))
  await appendFile(join(root, 'next.mp4'), free)
  await copyFile(join(root, 'next.mp4'), join(folder, path))
}

async function openAs(name: string, viewport = DESKTOP) {
  const options = { baseURL: server.origin, viewport, storageState: sessions[name] }
  const context = await server.browser.newContext(options)
  return { context, page: await context.newPage() }
}

test('a member publishes and dismisses recordings from a folder, also on a phone', async () => {
  const { context, page } = await openAs('ann')
  await page.goto('/studio?tab=inbox')
  await page.getByText('No new recordings').waitFor()
  expect(await auditPage(page)).toEqual([])
  await put('ann/Rust 2025.05.01 - 22.48.30.mp4')
  await put('ann/first.mp4')
  await put('ann/second.mp4')
  // The recordings appear without a reload.
  await page.getByRole('tab', { name: 'Inbox (3)' }).waitFor({ timeout: 30_000 })
  await page.getByText('Rust, 1 May 2025, 22:48').waitFor()
  expect(await auditPage(page)).toEqual([])

  await page.getByRole('button', { name: 'Publish Rust, 1 May 2025, 22:48' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish recording' })
  await dialog.getByLabel('Title').fill('The last stand')
  await dialog.getByRole('combobox', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: /^Members/ }).click()
  expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('1 recording will be published').waitFor()
  await page.getByText('Rust, 1 May 2025, 22:48').waitFor({ state: 'detached', timeout: 30_000 })

  await page.getByRole('button', { name: 'Actions for first' }).click()
  await page.getByRole('menuitem', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('checkbox', { name: 'Select first' }).click()
  await page.getByRole('checkbox', { name: 'Select second' }).click()
  await page.getByRole('button', { name: 'Dismiss selected' }).click()
  await page.getByText('No new recordings').waitFor()
  await context.close()

  await writeFile(join(folder, 'ann/notes.txt'), 'no video')
  const phone = await openAs('ann', PHONE)
  await phone.page.goto('/studio?tab=inbox&show=unusable')
  await phone.page.getByText('ann/notes.txt').waitFor({ timeout: 40_000 })
  expect(await auditPage(phone.page)).toEqual([])
  await phone.page.goto('/studio?tab=inbox&show=dismissed')
  await phone.page.getByRole('button', { name: 'Restore second' }).click()
  await phone.page.goto('/studio?tab=inbox')
  await phone.page.getByRole('checkbox', { name: 'Select second' }).waitFor()
  expect(await auditPage(phone.page)).toEqual([])
  await phone.page.goto('/studio')
  await phone.page.getByText('The last stand').first().waitFor()
  await phone.page.goto('/notifications')
  await phone.page.getByText(/wait in your inbox/).waitFor()
  await phone.page.getByRole('link', { name: 'View' }).first().click()
  await phone.page.getByRole('tab', { name: 'Inbox (1)' }).waitFor()
  await phone.context.close()
})

test('an admin sees the folders, and decides by rules', async () => {
  await writeFile(join(folder, 'notes.txt'), 'no video')
  const { context, page } = await openAs('chief')
  await page.goto('/admin/inbox')
  await page.getByText('notes.txt').waitFor({ timeout: 30_000 })
  await page.getByText(folder, { exact: true }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a rule' })
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('Matches')
  await dialog.getByRole('textbox', { name: 'Owner' }).fill('ann')
  await chooseOption(dialog, 'Category', 'Tarkov')
  await dialog.getByRole('switch').click()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByText('of @ann · Tarkov').waitFor()
  await put('Matches/clip.mp4')
  await expect
    .poll(async () => (await page.request.get('/api/videos?limit=50')).text(), { timeout: 30_000 })
    .toMatch(/"title":"clip"/)
  await chooseOption(page, 'Publishing', 'Leave in place')
  await page.getByText('without a copy in between').waitFor()
  await context.close()

  const phone = await openAs('chief', PHONE)
  await phone.page.goto('/admin/inbox')
  await phone.page.getByRole('button', { name: 'Pause' }).click()
  await phone.page.getByRole('button', { name: 'Resume' }).waitFor()
  await phone.page.getByText('Paused: no folder is checked').waitFor()
  expect(await auditPage(phone.page)).toEqual([])
  await phone.context.close()
})
