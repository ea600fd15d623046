import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { addSharedVideo, openSiteWithPages } from '#test/support/shared-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import type { TestMember } from '#test/support/test-site.ts'

const PUBLIC = 'https://clips.example.org'

let site: Awaited<ReturnType<typeof openSiteWithPages>>
let ann: TestMember
beforeAll(async () => {
  site = await openSiteWithPages({ publicUrl: PUBLIC })
  ann = await site.addMember('ann')
})
afterAll(() => site.close())

const open = (url: string, headers: Record<string, string> = {}) => site.get(url, { headers })
const titlesIn = (xml: string) =>
  [...xml.matchAll(/<item><title>([^<]*)</g)].map(([, title]) => title)

test('the site, a channel, a game and a search have feeds of what everybody may see', async () => {
  const bob = await site.addMember('bob')
  await addSharedVideo(site, ann, { title: 'Ace', category: 'CS2' })
  await addSharedVideo(site, bob, { title: 'Raid & run', category: 'Rust' })
  await addSharedVideo(site, ann, { title: 'Pending', contentApproved: 0 })
  await addSharedVideo(site, ann, { title: 'Nobody', isAnonymous: 1 })
  const titles = async (url: string) => titlesIn((await open(url)).body).sort()
  expect(await titles('/feeds/videos.xml')).toEqual(['Ace', 'Nobody', 'Raid &amp; run'])
  expect(await titles(`/feeds/channel/${ann.id}.xml`)).toEqual(['Ace'])
  expect(await titles('/feeds/game/CS2.xml')).toEqual(['Ace'])
  expect(await titles('/feeds/game/Rainbow%20Six.xml')).toEqual([])
  expect(await titles('/feeds/search.xml?q=raid')).toEqual(['Raid &amp; run'])
  for (const [url, status] of [
    ['/feeds/game/Chess.xml', 404],
    ['/feeds/channel/99999.xml', 404],
    ['/feeds/channel/x.xml', 404],
    ['/feeds/search.xml', 400],
    [`/feeds/search.xml?q=${'x'.repeat(201)}`, 400],
  ] as const) {
    const answer = await open(url)
    expect([url, answer.statusCode]).toEqual([url, status])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  }
})

test('a feed that has not changed is not sent again, and one that has is', async () => {
  const url = '/feeds/videos.xml'
  const first = await open(url)
  const { etag, 'last-modified': modified } = first.headers
  expect(first.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  expect((await open(url, { 'if-none-match': `${etag}` })).statusCode).toBe(304)
  if (isOnPostgres) expect(modified).toBeUndefined()
  else expect((await open(url, { 'if-modified-since': `${modified}` })).statusCode).toBe(304)
  await addSharedVideo(site, ann, { title: 'Later' })
  const again = await open(url, { 'if-none-match': `${etag}` })
  expect([again.statusCode, titlesIn(again.body)[0]]).toEqual([200, 'Later'])
})

test.runIf(isLongForm && !isOnPostgres)(
  'what is remembered of feeds is one entry for each feed, and only of the last thousand',
  async () => {
    const modifiedOf = async (url: string) =>
      Date.parse(`${(await open(url)).headers['last-modified']}`)
    const first = '/feeds/search.xml?q=nothing-of-this-name'
    const before = await modifiedOf(first)
    await setTimeout(1100)
    const junk = 'x'.repeat(8000)
    expect(await modifiedOf(`${first}&junk=${junk}`)).toBe(before)
    for (let at = 0; at < 1000; at++) await open(`/feeds/search.xml?q=other-${at}`)
    // The whole answer is cached for a second.
    await setTimeout(1100)
    expect(await modifiedOf(first)).toBeGreaterThan(before)
  },
)

test('an enclosure has the length of its file, and a missing file is not offered', async () => {
  const title = 'Longer than chats take'
  const video = await addSharedVideo(site, ann, { title, shareUrl: null })
  const item = async () => {
    const { body } = await open('/feeds/videos.xml')
    return body.split('<item>').find((text) => text.includes(title)) ?? ''
  }
  const enclosure = `<enclosure url="${PUBLIC}${video.video}" length="90000000" type="video/mp4"/>`
  expect(await item()).toContain(enclosure)
  const change = { videoFileExists: 0 as const }
  await site.db.updateTable('videos').set(change).where('id', '=', video.id).execute()
  expect(await item()).not.toContain('<enclosure')
  expect((await open(`/video/${video.id}`)).body).not.toContain('contentUrl')
})

test('oEmbed answers as its specification says', async () => {
  const { id } = await addSharedVideo(site, ann, { title: 'A "shot"', width: 1920, height: 1080 })
  const ask = (query: Record<string, string>) => open(`/oembed?${new URLSearchParams(query)}`)
  const url = `${PUBLIC}/video/${id}`
  const answer = await ask({ url })
  expect(answer.json()).toMatchObject({
    version: '1.0',
    type: 'video',
    provider_name: 'Clutch',
    provider_url: `${PUBLIC}/`,
    title: 'A "shot"',
    author_name: 'ann',
    author_url: `${PUBLIC}/profile/${ann.id}`,
    width: 960,
    height: 540,
  })
  expect(answer.json().html).toContain(`<iframe src="${PUBLIC}/embed/${id}"`)
  expect(answer.json().html).toContain('title="A &quot;shot&quot;"')
  const small = await ask({ url, maxwidth: '320', maxheight: '100' })
  expect(small.json()).toMatchObject({ width: 178, height: 100 })
  const xml = await ask({ url, format: 'xml' })
  expect(xml.headers['content-type']).toBe('text/xml; charset=utf-8')
  expect(xml.body).toContain('<html>&lt;iframe')
  for (const known of [`${PUBLIC}/v/${id}`, `${PUBLIC}/embed/${id}`, `${url}?t=5`]) {
    expect((await ask({ url: known })).statusCode).toBe(200)
  }
  const refusals: [Record<string, string>, number][] = [
    [{}, 400],
    [{ url, maxwidth: 'wide' }, 400],
    [{ url: 'no address' }, 404],
    [{ url: `https://elsewhere.example/video/${id}` }, 404],
    [{ url: `${PUBLIC}/profile/1` }, 404],
    [{ url: `${PUBLIC}/video/99999` }, 404],
    [{ url, format: 'yaml' }, 501],
  ]
  for (const [query, status] of refusals) expect((await ask(query)).statusCode).toBe(status)
})

test('a sitemap that is as it was is not sent twice', async () => {
  const first = await open('/sitemap.xml')
  const { etag } = first.headers
  const again = () => site.call({ url: '/sitemap.xml', headers: { 'if-none-match': String(etag) } })
  const fresh = await again()
  expect([fresh.statusCode, fresh.body, fresh.headers.etag]).toEqual([304, '', etag])
  await addSharedVideo(site, ann)
  const next = await again()
  expect(next.statusCode).toBe(200)
  expect(next.headers.etag).not.toBe(etag)
  expect(next.body).not.toBe(first.body)
})

test('robots.txt names the sitemap, and the sitemap what everybody may see', async () => {
  const robots = (await open('/robots.txt')).body
  expect(robots).toContain(`Sitemap: ${PUBLIC}/sitemap.xml`)
  expect(robots).toContain('Disallow: /api/')
  const hidden = await addSharedVideo(site, ann, { contentApproved: 0 })
  const shown = await addSharedVideo(site, ann)
  const sitemap = (await open('/sitemap.xml')).body
  expect(sitemap).toContain(`<loc>${PUBLIC}/video/${shown.id}</loc>`)
  expect(sitemap).toContain(`<loc>${PUBLIC}/profile/${ann.id}</loc>`)
  expect(sitemap).not.toContain(`/video/${hidden.id}<`)
})

longTest(
  'beyond 50,000 addresses the sitemap is a list of files that hold each address once',
  async () => {
    // One transaction each: PostgreSQL keeps every version of a member's counters until its transaction ends.
    for (let first = 1; first < 60_000; first += 1000) {
      await sql`
      WITH RECURSIVE counter (value) AS (SELECT ${sql.lit(first)} UNION ALL SELECT value + 1 FROM counter WHERE value < ${sql.lit(first + 999)})
      INSERT INTO videos ("userId", "mediaKey", title, "publishedAt", "processingState")
      SELECT ${ann.id}, 'sitemap-' || value, 'Many', '2026-01-01T00:00:00.000Z', 'ready' FROM counter`.execute(
        site.db,
      )
    }
    const index = (await open('/sitemap.xml')).body
    expect(index).toContain('<sitemapindex')
    const files = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url))
    expect(files.map(({ pathname }) => pathname)).toEqual(['/sitemap-1.xml', '/sitemap-2.xml'])
    const found: string[] = []
    for (const { pathname } of files) {
      const { body } = await open(pathname)
      const addresses = [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url)
      expect(addresses.length).toBeLessThanOrEqual(50_000)
      found.push(...addresses)
    }
    expect(found.length).toBeGreaterThan(60_000)
    expect(new Set(found).size).toBe(found.length)
    expect((await open('/sitemap-3.xml')).statusCode).toBe(404)
    expect((await open('/sitemap-0.xml')).statusCode).toBe(404)
  },
)
