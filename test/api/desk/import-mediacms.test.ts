import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { type FileServer, serveBytes, startFileServer } from '#test/support/file-server.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { longTest } from '#test/support/long-form.ts'

const TOKEN = '0123456789abcdef0123456789abcdef01234567'

let site: ImportSite
let server: FileServer
let tokenPath: string

beforeEach(async () => {
  site = await openImportSite()
  server = await startFileServer({})
  tokenPath = join(site.folder, 'token')
  await writeFile(tokenPath, `${TOKEN}\n`)
  answerWith('/api/v1/whoami', { username: 'ann.cms' })
})
afterEach(async () => {
  await server.stop()
  await site.remove()
})

const bring = (args: string[] = [], env: Record<string, string> = {}) =>
  site.run(['mediacms', server.origin, '--token-file', tokenPath, '--owner', 'ann', ...args], {
    LOCAL_HOSTS: '127.0.0.1',
    ...env,
  })

const isAllowed = ({ headers }: IncomingMessage) => headers.authorization === `Token ${TOKEN}`

function answerWith(path: string, content: unknown): void {
  server.answers[path] = (request, response: ServerResponse) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    if (isAllowed(request))
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    else response.writeHead(401).end()
  }
}

/** Pages of two rows, newest first. */
function listMedia(rows: object[]): void {
  server.answers['/api/v1/media'] = (request, response) => {
    const query = new URL(request.url ?? '', server.origin).searchParams
    const page = Number(query.get('page'))
    const isOwn = query.get('author') === 'ann.cms' && isAllowed(request)
    const results = isOwn ? rows.slice(2 * page - 2, 2 * page) : []
    const next = rows.length > 2 * page ? `${server.origin}/api/v1/media?page=${page + 1}` : null
    response.end(JSON.stringify({ count: rows.length, next, previous: null, results }))
  }
}

async function addFile(path: string, solid: string): Promise<void> {
  const file = join(site.folder, 'made.mp4')
  await makeClip({ path: file, seconds: 3, solid })
  const serve = serveBytes(await readFile(file))
  server.answers[path] = (request, response) =>
    isAllowed(request) ? serve(request, response) : response.writeHead(403).end()
}

const listed = (token: string, type = 'video') => ({
  ...{ friendly_token: token, title: `Title of ${token}`, media_type: type, state: 'public' },
})

test('videos of MediaCMS come with texts, levels, views, captions and chapters, once', async () => {
  listMedia([listed('new'), listed('picture', 'image'), listed('old')])
  await addFile('/media/original/user/ann/0123.old.mp4', '0xc83c28')
  await addFile('/media/original/user/ann/4567.new.mp4', '0x28c83c')
  const cues = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n')
  server.answers['/media/original/subtitles/one.vtt'] = serveBytes(cues, { type: 'text/vtt' })
  answerWith('/api/v1/media/old', {
    ...{ title: 'Ace', description: 'At night', add_date: '2023-01-02T03:04:05.678901Z', views: 7 },
    ...{ state: 'unlisted', media_type: 'video', enable_comments: false, allow_download: true },
    original_media_url: '/media/original/user/ann/0123.old.mp4',
    ...{
      categories_info: [{ title: 'Games', url: '/' }],
      tags_info: [{ title: 'rust', url: '/' }],
    },
    subtitles_info: [{ src: '/media/original/subtitles/one.vtt', srclang: 'en', label: 'English' }],
    chapter_data: [
      { start: '00:00:01.500', title: 'The ace' },
      { start: 'never', title: 'None' },
      { start: -1, title: 'None' },
    ],
  })
  answerWith('/api/v1/media/new', {
    ...{ title: 'Hidden', add_date: '2024-01-01T00:00:00Z', state: 'private', views: -1 },
    original_media_url: '/media/original/user/ann/4567.new.mp4',
  })
  const done = await bring()
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^Imported 2 videos, .*\. 0 were there already\.\n$/m)
  expect(done.out).toContain('1 other file of MediaCMS cannot come: this is a video site.')
  expect(done.out).not.toContain(TOKEN)
  expect(await site.listVideos()).toEqual([
    {
      ...{ title: 'Ace', description: 'At night', category: 'Rust', tags: '["Games"]' },
      ...{ visibility: 'unlisted', viewCount: 7, publishedAt: '2023-01-02T03:04:05.678Z' },
    },
    {
      ...{ title: 'Hidden', description: '', category: 'Other', tags: '[]' },
      ...{ visibility: 'private', viewCount: 0, publishedAt: '2024-01-01T00:00:00.000Z' },
    },
  ])
  const moments = site.db.selectFrom('moments').select(['videoId', 'atSeconds', 'title'])
  expect(await moments.execute()).toEqual([{ videoId: 1, atSeconds: 1.5, title: 'The ace' }])
  const captions = site.db.selectFrom('captions').select(['videoId', 'language'])
  expect(await captions.execute()).toEqual([{ videoId: 1, language: 'en' }])
  const again = await bring()
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 2 were there already\.\n$/m)
  expect(JSON.stringify(await site.db.selectFrom('auditLog').selectAll().execute())).not.toContain(
    TOKEN,
  )
})

test('what cannot come is named with a reason, without the token, and nothing is left', async () => {
  listMedia(['none', 'away', 'broken', 'silent', 'gone'].map((token) => listed(token)))
  server.answers['/api/v1/media/silent'] = ({ socket }) => void socket.destroy()
  answerWith('/api/v1/media/none', { title: 'None', original_media_url: null })
  const elsewhere = 'https://other.example.org/a.mp4'
  answerWith('/api/v1/media/away', { title: 'Away', original_media_url: elsewhere })
  answerWith('/api/v1/media/broken', '{"title":')
  answerWith('/api/v1/media/gone', { title: 'Gone', original_media_url: '/media/gone.mp4' })
  const done = await bring()
  expect(done.code).toBe(1)
  expect(
    done.err
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim()),
  ).toEqual([
    'Title of away (away): Its file is on another host.',
    'Title of none (none): MediaCMS does not give its original file.',
    'Title of gone (gone): There is no file at this address.',
    'Title of silent (silent): MediaCMS does not answer about it, or its answer is damaged.',
    'Title of broken (broken): MediaCMS does not answer about it, or its answer is damaged.',
  ])
  expect([await site.listVideos(), await site.listLeft()]).toEqual([[], []])
  const tokens = Array.from({ length: 6 }, (_, index) => `silent-${index}`)
  listMedia(tokens.map((token) => listed(token)))
  for (const token of tokens)
    server.answers[`/api/v1/media/${token}`] = ({ socket }) => void socket.destroy()
  expect((await bring()).err).toMatch(/^127\.0\.0\.1:\d+ cannot be reached\.\n$/)
  await writeFile(tokenPath, 'wrong')
  expect(await bring()).toEqual({
    ...{ code: 1, out: '', err: `${server.origin} does not accept the token.\n` },
  })
})

longTest(
  'other servers, endless answers and missing tokens are refused with a sentence',
  async () => {
    const refused = (err: string) => ({ code: 1, out: '', err: `${err}\n` })
    answerWith('/api/v1/whoami', '<html>')
    expect(await bring()).toEqual(
      refused(`${server.origin} does not answer like MediaCMS 3 or later.`),
    )
    server.answers['/api/v1/whoami'] = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, '['))) {}
      }
      response.on('drain', more)
      more()
    }
    expect((await bring()).err).toContain('answers with too much.')
    listMedia([])
    server.answers['/api/v1/media'] = (_, response) =>
      void response.end(JSON.stringify({ next: 'again', results: [listed('same'), 7] }))
    const repeated = await bring(['--author', 'someone'])
    expect(repeated.err).toContain('2 rows of its list cannot be read.')
    await writeFile(tokenPath, '')
    expect(await bring()).toEqual(refused(`${tokenPath} has no token in it.`))
    const without = await site.run(['mediacms', server.origin, '--owner', 'ann'])
    expect(without.err).toContain('Write the token of MediaCMS into a file')
    expect((await bring([], { LOCAL_HOSTS: '' })).err).toContain('has no token')
  },
)

longTest('an import that is killed continues, and brings nothing twice', async () => {
  listMedia([listed('one')])
  await addFile('/media/one.mp4', '0xc83c28')
  answerWith('/api/v1/media/one', { title: 'One', original_media_url: '/media/one.mp4' })
  for (const step of ['import.noted', 'chunk.recorded', 'complete.published']) {
    const killed = await bring([], { CLUTCH_STOP_AT: step })
    expect(killed.out, step).not.toContain('Imported')
  }
  expect(await bring()).toMatchObject({ code: 0, err: '' })
  expect(await site.listVideos()).toHaveLength(1)
})
