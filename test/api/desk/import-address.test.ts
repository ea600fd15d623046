import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { type FileServer, serveBytes, startFileServer } from '#test/support/file-server.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'

let site: ImportSite
let server: FileServer
let clip: Buffer

beforeEach(async () => {
  site = await openImportSite()
  server = await startFileServer({})
  const path = join(site.folder, 'clip.mp4')
  await makeClip({ path, seconds: 3 })
  clip = await readFile(path)
})
afterEach(async () => {
  await server.stop()
  await site.remove()
})

const bring = (address: string, args: string[] = [], env: Record<string, string> = {}) =>
  site.run(['address', address, '--owner', 'ann', ...args], { LOCAL_HOSTS: '127.0.0.1', ...env })

test('a file comes from its address once, over interruptions and a redirect', async () => {
  server.answers['/files/Rust%202025-05-01%2022-48-00.mp4'] = (_, response) =>
    void response.writeHead(302, { location: '/stored' }).end()
  server.answers['/stored'] = serveBytes(clip, { breaks: 2, breaksAfter: 20_000 })
  const address = `${server.origin}/files/Rust%202025-05-01%2022-48-00.mp4?key=secret`
  const tried = await bring(address, ['--dry-run'])
  expect(tried).toMatchObject({ code: 0, err: '' })
  expect(tried.out).toMatch(/^Would import 1 video, \d+KB\./m)
  expect(server.asked).toHaveLength(2)

  const done = await bring(address)
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^Imported 1 video, .*\. 0 were there already\.\n$/m)
  const stored = server.asked.filter(({ url }) => url === '/stored')
  const ranges = stored.map(({ headers }) => headers.range)
  expect(ranges.slice(-2)).toEqual(['bytes=20000-', 'bytes=40000-'])
  expect(await site.listVideos()).toMatchObject([
    { title: 'Rust, 1 May 2025, 22:48', category: 'Rust', viewCount: 0 },
  ])
  expect(await site.listLeft()).toHaveLength(1)
  const again = await bring(address, ['--title', 'Another title'])
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 1 were there already\.\n$/m)
  const copy = await bring(`${server.origin}/stored?copy`)
  expect(copy.out).toMatch(/^Imported 0 videos, .*\. 1 were there already\.\n$/m)
})

const refused: [name: string, path: string, sentence: string][] = [
  ['a missing file', '/missing.mp4', 'There is no file at this address.'],
  ['a page', '/page', 'This is the address of a page, not of a video file.'],
  ['what needs a sign-in', '/private', 'The file cannot be fetched without signing in.'],
  ['another status', '/teapot', 'The server answers with status 418.'],
  ['a file that says that it is too large', '/large', 'The file is larger than 1MB.'],
  ['an answer without end', '/endless', 'The file is larger than 1MB.'],
  ['an empty file', '/empty', 'The file is empty.'],
  ['a text that says that it is a video', '/text', 'This is a text file'],
  ['a redirect to the local network', '/inside', '10.0.0.1 is on the local network.'],
  [
    'a redirect to the metadata of a cloud',
    '/cloud',
    '169.254.169.254 is on a network that may not',
  ],
  ['redirects without end', '/loop', 'redirects too often.'],
  ['a connection that ends at once', '/closed', 'cannot be reached.'],
]

const usualRefused = refused.filter(([, path]) => /page|endless|inside|missing/.test(path))

test('what is no video within the limits is refused with a sentence, and nothing is left', async () => {
  const redirect =
    (location: string) => (_: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(302, { location }).end()
  Object.assign(server.answers, {
    '/page': serveBytes(Buffer.from('<h1>Hello</h1>'), { type: 'text/html; charset=utf-8' }),
    '/text': serveBytes(Buffer.from('This is no video.'.repeat(100))),
    '/empty': serveBytes(Buffer.alloc(0)),
    '/large': serveBytes(Buffer.alloc(3_000_000)),
    '/inside': redirect('https://10.0.0.1/video.mp4'),
    '/cloud': redirect('https://169.254.169.254/latest'),
    '/loop': redirect('/loop'),
  })
  server.answers['/private'] = (_, response) => void response.writeHead(403).end()
  server.answers['/teapot'] = (_, response) => void response.writeHead(418).end()
  server.answers['/closed'] = ({ socket }) => void socket.destroy()
  server.answers['/endless'] = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  }
  for (const [name, path, sentence] of isLongForm ? refused : usualRefused) {
    const done = await bring(`${server.origin}${path}`, [], { MAX_VIDEO_BYTES: '1048576' })
    expect(done.code, name).toBe(1)
    expect(done.err, name).toContain(`${server.origin}${path}: `)
    expect(done.err, name).toContain(sentence)
  }
  expect(await site.listVideos()).toEqual([])
  expect(await site.listLeft()).toEqual([])
  expect(await site.db.selectFrom('importedVideos').select('id').execute()).toEqual([])
})

longTest('hosts of the local network, other protocols and other options are refused', async () => {
  server.answers['/video.mp4'] = serveBytes(clip)
  const unlisted = await bring(`${server.origin}/video.mp4`, [], { LOCAL_HOSTS: '' })
  expect(unlisted.err).toContain('must be asked with https. An admin can allow it')
  expect(server.asked).toEqual([])
  for (const address of ['file:///etc/passwd', 'video.mp4', 'ftp://example.org/a.mp4']) {
    const done = await bring(address)
    expect(done).toEqual({
      ...{ code: 1, out: '', err: `${address} is no address that begins with https://.\n` },
    })
  }
  const other = await bring(`${server.origin}/video.mp4`, ['--videos', '/tmp'])
  expect(other.code).toBe(2)
  expect(other.err).toContain('An import from address has no option --videos.')
})

longTest('a download whose file changes meanwhile begins again', async () => {
  const broken = serveBytes(clip, { breaks: 1, breaksAfter: 20_000 })
  const path = join(site.folder, 'other.mp4')
  await makeClip({ path, seconds: 3, solid: '0xc83c28' })
  const changed = serveBytes(await readFile(path), { etag: '"two"' })
  let requests = 0
  server.answers['/video.mp4'] = (...asked) => (++requests < 3 ? broken : changed)(...asked)
  expect(await bring(`${server.origin}/video.mp4`)).toMatchObject({ code: 0, err: '' })
  expect(server.asked.at(-1)?.headers).toMatchObject({ range: 'bytes=20000-', 'if-range': '"one"' })
  expect(await site.listVideos()).toHaveLength(1)
})

test('parts of a file that do not fit together are never joined', async () => {
  const half = 20_000
  const head = { 'content-type': 'video/mp4', etag: '"one"' }
  const part = (from: number, to: number, more: object = {}) => ({
    ...{ ...head, 'content-length': to - from },
    ...{ 'content-range': `bytes ${from}-${to - 1}/${clip.length}`, ...more },
  })
  const answerRest = (path: string, headers: object, rest: Buffer) => {
    const breaking = serveBytes(clip, { breaks: 1, breaksAfter: half })
    server.answers[path] = (request, response) => {
      const isRest = request.headers.range === `bytes=${half}-`
      if (isRest) response.writeHead(206, { ...headers }).end(rest)
      else breaking(request, response)
    }
  }
  const rest = clip.subarray(half)
  const { 'content-range': _, ...without } = part(half, clip.length)
  answerRest('/unnamed', without, rest)
  answerRest('/changed', part(half, clip.length, { etag: '"two"' }), rest)
  answerRest('/far', part(2 ** 51, 2 ** 51 + 10), Buffer.alloc(10))
  for (const [path, sentence] of [
    ['/unnamed', 'The server does not say which part it sends.'],
    ['/changed', 'The file was changed while it was read.'],
    ['/far', 'The file was changed while it was read.'],
  ]) {
    const done = await bring(`${server.origin}${path}`)
    expect(done, path).toMatchObject({ code: 1, err: expect.stringContaining(`${sentence}`) })
  }
  expect([await site.listVideos(), await site.listLeft()]).toEqual([[], []])
})

test('a server that sends a part at a time is asked for each', async () => {
  const breaking = serveBytes(clip, { breaks: 1, breaksAfter: 20_000 })
  server.answers['/parts'] = (request, response) => {
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return breaking(request, response)
    const to = Math.min(Number(from) + 20_000, clip.length)
    const range = `bytes ${from}-${to - 1}/${clip.length}`
    response.writeHead(206, { 'content-type': 'video/mp4', etag: '"one"', 'content-range': range })
    response.end(clip.subarray(Number(from), to))
  }
  expect(await bring(`${server.origin}/parts`)).toMatchObject({ code: 0, err: '' })
  expect(server.asked.length).toBeGreaterThan(3)
  expect(await site.listVideos()).toHaveLength(1)
})

longTest('a download that is killed leaves nothing, and continues', async () => {
  server.answers['/video.mp4'] = serveBytes(clip)
  for (const step of [
    'import.noted',
    'chunk.recorded',
    'complete.prepared',
    'complete.published',
  ]) {
    const killed = await bring(`${server.origin}/video.mp4`, [], { CLUTCH_STOP_AT: step })
    expect(killed.out, step).not.toContain('Imported')
  }
  expect(await bring(`${server.origin}/video.mp4`)).toMatchObject({ code: 0, err: '' })
  expect(await site.listVideos()).toHaveLength(1)
})
