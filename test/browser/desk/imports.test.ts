import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { makeClip } from '#test/support/clips.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const root = await mkdtemp(join(tmpdir(), 'clutch-imports-'))
const server = setUpHostedSite({ env: { IMPORT_FOLDERS: root, RENDITIONS: '180' } })

beforeAll(async () => {
  await makeClip({ path: join(root, 'Rust.mp4'), seconds: 1 })
  const clip = { uuid: 'one', Status: 'local', clipType: 'clip', FilePath: 'D:\\Medal\\Rust.mp4' }
  const gone = { ...clip, uuid: 'two', FilePath: 'D:\\Medal\\Gone.mp4', GameTitle: 'Gone' }
  const clips = {
    one: { ...clip, GameTitle: 'Rust', TimeCreated: 1_746_139_680, Content: {} },
    two: { ...gone, TimeCreated: 1_746_139_680, Content: {} },
  }
  await writeFile(join(root, 'clips.json'), JSON.stringify(clips))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('an admin imports a library on the server, and reads what did not come', async () => {
  const { page } = await server.open()
  await register(page, 'chief', await server.setupCode())
  await page.goto('/admin/inbox')
  await page.getByText('Nothing has been imported yet.').waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.getByRole('button', { name: 'Start an import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start an import' })
  await chooseOption(dialog, 'From', 'Medal')
  await dialog.getByLabel('Folder or file on the server').fill(join(root, 'none'))
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Username of the owner').fill('chief')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.getByText('There is no such folder or file').waitFor()
  await dialog.getByLabel('Folder or file on the server').fill(root)
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('1 video imported · 1 problem').waitFor()
  await page.setViewportSize(PHONE)
  expect(await auditPage(page)).toEqual([])
  await page.getByRole('button', { name: 'Report of Medal for @chief' }).click()
  const report = page.getByRole('dialog', { name: 'Import from Medal' })
  await report.getByText('Gone', { exact: false }).first().waitFor()
  expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
})
