import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { type FileServer, serveBytes, startFileServer } from '#test/support/file-server.ts'
import type { SavedSession } from '#test/support/full-site.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const MB = 1024 ** 2

const root = await mkdtemp(join(tmpdir(), 'clutch-fetch-'))
const server = setUpHostedSite({ env: { LOCAL_HOSTS: '127.0.0.1', RENDITIONS: '180' } })
let files: FileServer
let bytes: Buffer
let session: SavedSession

beforeAll(async () => {
  files = await startFileServer({})
  const path = join(root, 'clip.mp4')
  await makeClip({ path, seconds: 2 })
  const box = Buffer.alloc(5 * MB, 7)
  box.writeUInt32BE(box.length)
  box.write('free', 4)
  bytes = Buffer.concat([await readFile(path), box])
  const { page } = await server.open()
  await register(page, 'chief', await server.setupCode())
  session = await page.context().storageState()
  await page.context().close()
})

afterAll(async () => {
  await files.stop()
  await rm(root, { recursive: true, force: true })
})

async function open(viewport = DESKTOP) {
  const options = { baseURL: server.origin, viewport, storageState: session }
  const context = await server.browser.newContext(options)
  return { context, page: await context.newPage() }
}

test('an admin turns it on, and a file at an address becomes a video, also after a reload', async () => {
  const { context, page } = await open()
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Upload several at once' }).waitFor()
  expect(await page.getByRole('button', { name: 'Upload from an address' }).count()).toBe(0)
  await page.goto('/admin/settings')
  await page.getByLabel('Members may upload from an address').click()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Settings saved').waitFor()

  let isHeld = true
  files.answers['/Rust%202025-05-01%2022-48-00.mp4'] = (request, response) => {
    const isProbe = request.headers.range === 'bytes=0-0'
    if (!isHeld || isProbe) return serveBytes(bytes)(request, response)
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length })
    response.write(bytes.subarray(0, 3 * MB))
    const timer = setInterval(() => {
      if (isHeld) return
      clearInterval(timer)
      response.end(bytes.subarray(3 * MB))
    }, 100)
  }
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Upload from an address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload from an address' })
  await dialog.getByLabel('Address').fill(`${files.origin}/missing.mp4`)
  await dialog.getByLabel('Title').fill('Never')
  expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await dialog.getByText('There is no file at this address.').waitFor()
  await dialog.getByLabel('Title').fill('')
  await dialog.getByLabel('Address').fill(`${files.origin}/Rust 2025-05-01 22-48-00.mp4`)
  await dialog.getByLabel('Title').focus()
  await dialog.getByRole('button', { name: 'Use “Rust, 1 May 2025, 22:48”' }).click()
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByRole('heading', { name: 'Fetching 1 file' }).waitFor()
  await tray.getByText(/^3\d% · The site fetches it/).waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.goto('/')
  await tray.getByText(/^3\d% · The site fetches it/).waitFor()
  isHeld = false
  await tray
    .getByRole('link', { name: 'Watch Rust, 1 May 2025, 22:48' })
    .waitFor({ timeout: 20_000 })
  await context.close()
})

test('a file that is here already, and one that is cancelled, on a phone', async () => {
  const { context, page } = await open(PHONE)
  files.answers['/copy.mp4'] = serveBytes(bytes)
  const add = async (path: string) => {
    await page.goto('/upload')
    await page.getByRole('button', { name: 'Upload from an address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload from an address' })
    await dialog.getByLabel('Address').fill(files.origin + path)
    await dialog.getByLabel('Title').focus()
    expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await add('/copy.mp4')
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('You uploaded this already, as “Rust, 1 May 2025, 22:48”').waitFor()
  expect(await auditPage(page)).toEqual([])
  await tray.getByRole('button', { name: 'Remove copy' }).click()
  await tray.waitFor({ state: 'hidden' })

  files.answers['/slow.mp4'] = (request, response) => {
    if (request.headers.range === 'bytes=0-0') return serveBytes(bytes)(request, response)
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length })
    response.write(bytes.subarray(0, 3 * MB))
  }
  await add('/slow.mp4')
  await tray.getByText(/^3\d% · The site fetches it/).waitFor()
  await tray.getByRole('button', { name: 'Actions for slow' }).click()
  await page.getByRole('menuitem', { name: 'Cancel upload' }).click()
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await tray.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Upload from an address' }).waitFor()
  expect(await tray.count()).toBe(0)
  await context.close()
})
