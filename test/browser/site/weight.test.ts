import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isLongForm } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const DIST = join(import.meta.dirname, '..', '..', '..', 'dist')
const HOME_BYTES = 170_000
const PAGE_BYTES = 260_000
/** Maximum number of files of the watch page, with those of every page. */
const WATCH_FILES = 12
const MEMBER_PAGES = [
  '/video/1',
  '/studio',
  '/profile/1',
  '/search?q=match',
  '/subscriptions',
  '/clips',
  '/explore',
  '/history',
  '/library',
  '/notifications',
  '/upload',
  '/settings',
]

const server = setUpHostedSite()

/**
 * What opening a page brings over the wire in scripts, those that stand in it too, and styles, as Brotli, with nothing
 * kept from before. hls.js is no part of it: it comes when a stream is needed.
 */
async function weigh(
  path: string,
  { isMember }: { isMember: boolean },
): Promise<{ bytes: number; files: string[] }> {
  const { page } = await server.open({ isNew: true })
  if (isMember) await page.request.post('/api/login', { data: MEMBER })
  // What is fetched ahead of a click, when nothing else is to be done, is not the page's.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
    // A connection that carries the file.
    localStorage.setItem('clutch-player', JSON.stringify({ bandwidth: 90_000_000 }))
  })
  const files = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.(js|css)$/.test(pathname)) files.add(pathname)
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  expect([...files].filter((name) => /hls/.test(name))).toEqual([])
  const inline = await page.locator('script:not([src], [type$="json"])').allTextContents()
  await page.context().close()
  let bytes = brotliCompressSync(inline.join('\n')).length
  for (const name of files) {
    const sent = await stat(join(DIST, `${name}.br`)).catch(() => stat(join(DIST, name)))
    bytes += sent.size
  }
  return { bytes, files: [...files] }
}

const SIZE = { width: 640, height: 360 }
const MEMBER = { username: 'wilma', password: 'correct horse' }

test('no page is heavier, and the watch page has no more files, than it may', async () => {
  const { page } = await server.open()
  const userId = await register(page, MEMBER.username)
  await page.context().close()
  const [videoUrl, hlsUrl] = ['/media/a/video.mp4', '/media/a/hls.m3u8']
  await writeRows(server, (db) =>
    // With fewer, the home page also says what to do next.
    addVideos(
      db,
      ['Match point', 'Ace', 'Clutch', 'Overtime'].map((title) => ({
        ...{ userId, title, videoUrl, hlsUrl, ...SIZE },
      })),
    ),
  )
  const memberPages = isLongForm ? MEMBER_PAGES : MEMBER_PAGES.slice(0, 2)
  const visits = [
    { path: '/', isMember: false, limit: HOME_BYTES },
    { path: '/', isMember: true, limit: HOME_BYTES },
    { path: '/auth', isMember: false, limit: PAGE_BYTES },
    ...memberPages.map((path) => ({ path, isMember: true, limit: PAGE_BYTES })),
  ]
  const heavy: object[] = []
  for (const { limit, ...visit } of visits) {
    const weight = await weigh(visit.path, visit)
    const files = visit.path.startsWith('/video/') ? WATCH_FILES : Number.POSITIVE_INFINITY
    if (weight.bytes >= limit || weight.files.length > files) heavy.push({ ...visit, ...weight })
  }
  expect(heavy).toEqual([])
})
