import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runDueFetches } from '#server/video/fetch/start-fetches.ts'
import type { Fetch } from '#shared/schemas/fetch.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { type FileServer, serveBytes, startFileServer } from '#test/support/file-server.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const MB = 1024 ** 2

const site = setUpTestSite({ localHosts: ['127.0.0.1'] })
const { ask, call } = callsOf(site)
let server: FileServer
let admin: TestMember
let member: TestMember
let clip: Buffer
let large: Buffer

beforeAll(async () => {
  server = await startFileServer({})
  admin = await site.addMember('admin', { isAdmin: true })
  member = await site.addMember('member')
  const folder = await mkdtemp(join(tmpdir(), 'clutch-fetch-'))
  const path = join(folder, 'clip.mp4')
  await makeClip({ path, seconds: 1 })
  clip = await readFile(path)
  large = Buffer.concat([clip, freeBox(5 * MB)])
  await rm(folder, { recursive: true })
})
afterAll(() => server.stop())

beforeEach(async () => {
  for (const table of ['fetches', 'videos', 'uploads', 'notifications'] as const) {
    await site.db.deleteFrom(table).execute()
  }
  await changeRows(site.db, 'siteSettings', { where: { id: 1 }, values: { fetchesAddresses: 1 } })
  await changeRows(site.db, 'users', { where: { id: admin.id }, values: { quotaBytes: null } })
  server.asked.length = 0
})

/** A box that players ignore. */
function freeBox(length: number): Buffer {
  const box = Buffer.alloc(length, 7)
  box.writeUInt32BE(length)
  box.write('free', 4)
  return box
}

const details = (more: object = {}) => ({
  ...{ title: 'From afar', description: '', category: 'Other', tags: [] },
  ...more,
})
const begin = (path: string, more: object = {}) =>
  ask<{ id: number }>(admin, 'fetch.start', {
    url: `${server.origin}${path}`,
    metadata: details(more),
  })
const refuse = async (url: string, as = admin) => {
  const answer = await call(as, 'fetch.start', { url, metadata: details() })
  return `${answer.statusCode} ${answer.json().error.message}`
}
const work = () => runDueFetches({ ...site.deps, log: site.log })
const listOwn = () => ask<Fetch[]>(admin, 'fetch.list')
const listLeft = async () => readdir(site.disk.folders.uploads)
const dueNow = () =>
  changeRows(site.db, 'fetches', { where: {}, values: { runAfter: '2020-01-01T00:00:00.000Z' } })

test('a file at an address becomes a video of the member, with the details given', async () => {
  await changeRows(site.db, 'siteSettings', {
    where: { id: 1 },
    values: { uploadsNeedApproval: 1 },
  })
  server.answers['/files/a%20clip.mp4'] = serveBytes(large)
  const { id } = await begin('/files/a%20clip.mp4?key=secret', {
    ...{ title: 'A clip', description: 'Of a friend', category: 'Rust', tags: ['duo'] },
    visibility: 'members',
  })
  expect(await listOwn()).toMatchObject([
    { id, state: 'waiting', fileName: 'a clip.mp4', size: large.length, bytes: 0, title: 'A clip' },
  ])
  await work()
  const [done] = await listOwn()
  expect(done).toMatchObject({ state: 'done', host: '', bytes: large.length })
  expect(await listRows(site.db, 'videos')).toMatchObject([
    {
      ...{ id: done?.videoId, userId: admin.id, title: 'A clip', description: 'Of a friend' },
      ...{ category: 'Rust', visibility: 'members', contentApproved: 1 },
    },
  ])
  expect(JSON.stringify(await listRows(site.db, 'fetches'))).not.toContain('secret')
  expect(await ask(admin, 'upload.listOpen')).toEqual([])
  await ask(admin, 'fetch.cancel', { id })
  expect([await listOwn(), await listRows(site.db, 'videos')]).toMatchObject([[], [{}]])
})

test('a file without a stated size comes, and one without end is refused at the limit', async () => {
  server.answers['/chunked'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write(clip)
    response.end(freeBox(3 * MB))
  }
  await begin('/chunked')
  await work()
  expect(await listOwn()).toMatchObject([{ state: 'done' }])
  expect(await listRows(site.db, 'uploads')).toMatchObject([
    { fileSize: clip.length + 3 * MB, chunkCount: 2 },
  ])
  server.answers['/endless'] = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  }
  await changeRows(site.db, 'siteSettings', { where: { id: 1 }, values: { maxVideoBytes: MB } })
  await begin('/endless')
  await work()
  expect((await listOwn()).at(-1)).toMatchObject({
    ...{ state: 'failed', problem: 'The file is larger than 1MB.' },
  })
  expect(await listLeft()).toEqual([])
  expect(await listRows(site.db, 'notifications')).toMatchObject([
    { userId: admin.id, message: '"From afar": The file is larger than 1MB.' },
  ])
  await changeRows(site.db, 'siteSettings', { where: { id: 1 }, values: { maxVideoBytes: null } })
})

test('what cannot come is refused at once, with a sentence', async () => {
  const page = serveBytes(Buffer.from('<h1>Hello</h1>'), { type: 'text/html' })
  Object.assign(server.answers, { '/page': page, '/large': serveBytes(large) })
  server.answers['/loop'] = (_, response) =>
    void response.writeHead(302, { location: '/loop' }).end()
  server.answers['/cloud'] = (_, response) =>
    void response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end()
  const at = (path: string) => refuse(`${server.origin}${path}`)
  expect(await refuse('clip.mp4')).toBe('400 The address must begin with https://.')
  expect(await refuse('ftp://example.org/clip.mp4')).toBe(
    '400 The address must begin with https://.',
  )
  expect(await refuse('https://ann:pw@example.org/a.mp4')).toContain('have no name or password.')
  expect(await at('/missing')).toBe('422 There is no file at this address.')
  expect(await at('/page')).toBe('422 This is the address of a page, not of a video file.')
  expect(await at('/loop')).toContain('redirects too often.')
  expect(await at('/cloud')).toContain('is on a network that may not be asked.')
  await changeRows(site.db, 'users', { where: { id: admin.id }, values: { quotaBytes: MB } })
  expect(await at('/large')).toBe('413 This file would take you over your storage quota of 1MB.')
  await changeRows(site.db, 'siteSettings', { where: { id: 1 }, values: { fetchesAddresses: 0 } })
  expect(await at('/large')).toBe('403 This site does not fetch files from addresses.')
  expect([await listOwn(), await listLeft()]).toEqual([[], []])
})

test('members reach no host of the local network, even if an admin listed it', async () => {
  server.answers['/clip'] = serveBytes(clip)
  expect(await refuse(`${server.origin}/clip`, member)).toContain('must be asked with https.')
  const local = 'https://192.168.1.5/clip.mp4'
  expect(await refuse(local, member)).toBe('422 192.168.1.5 is on the local network.')
  expect(server.asked).toEqual([])
})

test('a file that the site has already waits for the decision of the member', async () => {
  server.answers['/clip'] = serveBytes(clip)
  await begin('/clip')
  await work()
  const { id } = await begin('/clip', { title: 'Again' })
  await work()
  const [first, again] = await listOwn()
  expect(again).toMatchObject({
    ...{ state: 'same', same: { videoId: first?.videoId, title: 'From afar', isOwn: true } },
  })
  expect(await listRows(site.db, 'notifications')).toMatchObject([
    { message: '"Again": The site has this recording already.' },
  ])
  server.asked.length = 0
  await ask(admin, 'fetch.allowSame', { id })
  await work()
  expect(server.asked).toEqual([])
  expect((await listRows(site.db, 'videos')).map(({ title }) => title)).toEqual([
    ...['From afar', 'Again'],
  ])
})

test('an interruption continues with the rest, and another file begins again', async () => {
  server.answers['/clip'] = serveBytes(large, { breaks: 1, breaksAfter: 4 * MB })
  await begin('/clip')
  await work()
  const rest = `bytes=${4 * MB}-`
  expect(server.asked.map(({ headers }) => headers.range)).toEqual(['bytes=0-0', undefined, rest])
  expect(await listOwn()).toMatchObject([{ state: 'done', problem: null }])

  let requests = 0
  const first = serveBytes(large, { breaks: 1, breaksAfter: 4 * MB })
  const changed = serveBytes(Buffer.concat([clip, freeBox(6 * MB)]), { etag: '"two"' })
  server.answers['/other'] = (...asked) => (++requests < 3 ? first : changed)(...asked)
  await begin('/other', { title: 'Changes' })
  await work()
  await dueNow()
  await work()
  expect((await listOwn()).at(-1)).toMatchObject({ state: 'done', size: clip.length + 6 * MB })
  expect(await listLeft()).toEqual([])
})

longTest('a server that is away for longer is asked for the rest later', async () => {
  server.answers['/clip'] = serveBytes(large)
  await begin('/clip')
  const broken = serveBytes(large, { breaks: 1, breaksAfter: 4 * MB })
  let requests = 0
  server.answers['/clip'] = (request, response) => {
    if (++requests === 1) broken(request, response)
    else response.writeHead(503).end()
  }
  await work()
  expect(await listOwn()).toMatchObject([
    { state: 'waiting', bytes: 4 * MB, problem: 'The server answers with status 503.' },
  ])
  server.answers['/clip'] = serveBytes(large)
  server.asked.length = 0
  await dueNow()
  await work()
  expect(server.asked.map(({ headers }) => headers.range)).toEqual([`bytes=${4 * MB}-`])
  expect(await listOwn()).toMatchObject([{ state: 'done', problem: null }])
})

test('a cancelled file ends at once and leaves nothing, and so does one when it is turned off', async () => {
  let isOpen = false
  server.answers['/slow'] = (request, response) => {
    if (request.headers.range === 'bytes=0-0') return serveBytes(large)(request, response)
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': large.length })
    response.write(large.subarray(0, 3 * MB))
    isOpen = true
    response.on('close', () => {
      isOpen = false
    })
  }
  const endings = [
    (id: number) => ask(admin, 'fetch.cancel', { id }),
    () =>
      changeRows(site.db, 'siteSettings', { where: { id: 1 }, values: { fetchesAddresses: 0 } }),
  ]
  for (const end of endings) {
    const { id } = await begin('/slow')
    const working = work()
    await expect.poll(async () => (await listOwn())[0]?.bytes).toBe(2 * MB)
    expect(isOpen).toBe(true)
    await end(id)
    await working
    await expect.poll(() => isOpen).toBe(false)
    if (end === endings[0]) {
      expect([await listOwn(), await listLeft()]).toEqual([[], []])
      expect(await readRow(site.db, 'uploads')).toMatchObject({ state: 'expired' })
    }
  }
  expect(await listRows(site.db, 'videos')).toEqual([])
}, 30_000)
