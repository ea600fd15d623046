import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type { ImportPlaces, ImportRun } from '#shared/schemas/desk/import.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { type FileServer, serveBytes, startFileServer } from '#test/support/file-server.ts'
import { madePath, writeFireshare } from '#test/support/fireshare.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, listRows } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const TOKEN = '0123456789abcdef0123456789abcdef01234567'

const root = await mkdtemp(join(tmpdir(), 'clutch-import-desk-'))
const folder = join(root, 'libraries')
const site = setUpTestSite({ importFolders: [folder], localHosts: ['127.0.0.1'] })
const { ask, refusal } = callsOf(site)
let server: FileServer
let admin: TestMember

beforeAll(async () => {
  await mkdir(folder)
  server = await startFileServer({})
  admin = await site.addMember('admin', { isAdmin: true })
  await site.addMember('ann')
})
beforeEach(async () => {
  for (const table of ['imports', 'importedVideos', 'videos'] as const) {
    await site.db.deleteFrom(table).execute()
  }
})
afterAll(async () => {
  await server.stop()
  await rm(root, { recursive: true, force: true })
})

const runs = () => ask<ImportRun[]>(admin, 'import.list')
const start = (input: object) =>
  ask<{ id: number }>(admin, 'import.start', { owner: 'ann', ...input })
const stateIs = (state: ImportRun['state']) =>
  expect.poll(async () => (await runs())[0]?.state, { timeout: 30_000 }).toBe(state)

test('a library in an allowed folder is imported in the desk, with a report', async () => {
  const library = join(folder, 'fireshare')
  const videos = [
    { path: 'one.mp4', title: 'One' },
    { path: 'gone.mp4', title: 'Gone' },
    {
      path: 'locked.mp4',
      title: 'Locked',
      passwordHash: `pbkdf2:sha256:1000$salt$${'0'.repeat(64)}`,
    },
  ]
  await writeFireshare(library, { version: '1.8', videos })
  await makeClip({ path: await madePath(library, 'one.mp4'), solid: '0xc83c28' })
  await makeClip({ path: await madePath(library, 'locked.mp4'), solid: '0x28c83c' })
  await symlink(root, join(folder, 'outside'))
  expect(await ask<ImportPlaces>(admin, 'import.places')).toEqual([
    { folder, entries: ['fireshare', 'outside'], problem: null },
  ])
  await start({ source: 'fireshare', path: library })
  expect(
    await refusal(admin, 'import.start', { owner: 'ann', source: 'medal', path: library }),
  ).toBe('409 Another import is running. Stop it, or wait until it is done.')
  await stateIs('done')
  expect(await runs()).toMatchObject([
    {
      ...{ source: 'fireshare', given: library, ownerName: 'ann', isFromDesk: true },
      progress: { done: 2, all: 2 },
      report: {
        ...{ imported: 2, there: 0, problemCount: 2 },
        problems: [
          { path: 'gone.mp4', sentence: 'The file is missing.' },
          { path: 'locked.mp4', sentence: expect.stringContaining('share it with a link') },
        ],
      },
    },
  ])
  const made = await listRows(site.db, 'videos')
  expect(made.map(({ title }) => title).sort()).toEqual(['Locked', 'One'])
  expect(await listRows(site.db, 'shareLinks')).toEqual([])

  const refuse = (input: object) => refusal(admin, 'import.start', { owner: 'ann', ...input })
  const notThere = '404 There is no such folder or file in the folders that IMPORT_FOLDERS names.'
  for (const path of ['/etc', join(folder, '..'), join(folder, 'outside'), join(folder, 'none')]) {
    expect(await refuse({ source: 'medal', path }), path).toBe(notThere)
  }
  expect(await refuse({ source: 'medal', path: library, owner: 'nobody' })).toBe(
    "404 No member named 'nobody' may publish videos.",
  )
  await start({ source: 'steam', path: library })
  await stateIs('failed')
  expect((await runs())[0]?.error).toContain(library)
}, 60_000)

test('an import is stopped and continued, and its token is nowhere', async () => {
  const clip = join(root, 'clip.mp4')
  await makeClip({ path: clip, seconds: 1 })
  const bytes = await readFile(clip)
  const json = (path: string, content: object) => {
    server.answers[path] = ({ headers }, response) => {
      const isAllowed = headers.authorization === `Token ${TOKEN}`
      response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(content))
    }
  }
  const media = (id: string) => ({
    ...{ friendly_token: id, title: id, description: '', media_type: 'video', state: 'public' },
    ...{ add_date: '2024-01-02T03:04:05Z', views: 1, original_media_url: `/media/${id}.mp4` },
    ...{ categories_info: [], tags_info: [], subtitles_info: [], chapter_data: [] },
    ...{ enable_comments: true, allow_download: true },
  })
  json('/api/v1/whoami', { username: 'ann.cms' })
  json('/api/v1/media', { count: 2, next: null, results: [media('second'), media('first')] })
  for (const id of ['first', 'second']) json(`/api/v1/media/${id}`, media(id))
  const box = Buffer.from([0, 0, 0, 9, 0x66, 0x72, 0x65, 0x65, 1])
  server.answers['/media/first.mp4'] = serveBytes(bytes)
  const second = serveBytes(Buffer.concat([bytes, box]))
  let isHeld = true
  let seenWords = ''
  server.answers['/media/second.mp4'] = (request, response) => {
    if (!isHeld) return second(request, response)
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length + 9 })
    const timer = setInterval(() => response.write(Buffer.alloc(100)), 200)
    response.on('close', () => clearInterval(timer))
    void wordsOfProcesses().then((words) => {
      seenWords = words
    })
  }
  const input = { source: 'mediacms', address: server.origin, token: TOKEN }
  const { id } = await start(input)
  await expect
    .poll(async () => (await listRows(site.db, 'videos')).length, { timeout: 30_000 })
    .toBe(1)
  await expect.poll(() => seenWords).toContain('--token-file')
  expect(seenWords).not.toContain(TOKEN)
  await ask(admin, 'import.stop', { id })
  await stateIs('stopped')
  expect((await runs())[0]).toMatchObject({
    ...{ report: { imported: 1 }, again: { source: 'mediacms', path: server.origin } },
  })
  expect(await refusal(admin, 'import.stop', { id })).toBe('409 This import is over.')
  isHeld = false
  await start(input)
  await stateIs('done')
  expect((await runs())[0]).toMatchObject({ report: { imported: 1, there: 1 } })
  expect(await listRows(site.db, 'videos')).toHaveLength(2)
  const rows = [await listRows(site.db, 'imports'), await listRows(site.db, 'auditLog')]
  expect(JSON.stringify(rows)).not.toContain(TOKEN)
}, 90_000)

/** The arguments of all processes, as `ps` shows them. */
async function wordsOfProcesses(): Promise<string> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  return (await Promise.all(ids.map(read))).join('\n').replaceAll('\0', ' ')
}

test('an import whose process was ended is shown as interrupted', async () => {
  const old = timestamp(new Date(Date.now() - 120_000))
  await addRow(site.db, 'imports', {
    ...{
      source: 'peertube',
      given: '/srv/archive',
      ownerId: admin.id,
      startedAt: old,
      seenAt: old,
    },
  })
  expect(await runs()).toMatchObject([{ state: 'interrupted', isFromDesk: false, again: null }])
  await writeFile(join(folder, 'notes.txt'), 'none')
  await start({ source: 'peertube', path: join(folder, 'notes.txt') })
  await stateIs('failed')
  const [newest, before] = await runs()
  expect(newest?.error).toContain('notes.txt')
  expect(before).toMatchObject({ state: 'stopped', error: expect.stringContaining('interrupted') })
}, 30_000)
