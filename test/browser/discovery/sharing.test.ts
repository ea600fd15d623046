import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const TITLE = `Ace "on" <Mirage> & 'run'`
const DESCRIPTION = 'What a round.\n</script><script>alert(1)</script> & more'

const server = setUpHostedSite({ env: { RENDITIONS: '240' } })
let elsewhere: Server
let videoId: number
let hiddenId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const path = await makeClip({
    ...{ path: join(server.dataFolder, 'a.mp4'), width: 480, height: 270 },
    ...{ seconds: 20, frameRate: 10 },
  })
  videoId = await uploadClip(page, path, { title: TITLE, description: DESCRIPTION, tags: ['ace'] })
  await until(async () => {
    const answer = await page.request.get(`/api/videos/${videoId}`)
    return ((await answer.json()) as { hlsUrl: string | null }).hlsUrl !== null
  })
  hiddenId = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Shy One')
    const [id = 0] = await addVideos(db, [{ userId, title: 'Secret round', contentApproved: 0 }])
    return id
  })
  await page.context().close()
  // Another site, with a frame of ours.
  elsewhere = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://x').search
    const src = `${server.origin}/embed/${videoId}${query}`
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><iframe width="640" height="360" allow="autoplay" src="${src}">`)
  }).listen(0, 'localhost')
})
afterAll(async () => {
  elsewhere.close()
})

const elsewhereUrl = () => `http://localhost:${(elsewhere.address() as { port: number }).port}`

/** What a crawler gets: the page's source, read by the browser's own parser. No script of it runs. */
async function readHead(page: Page, path: string) {
  const source = await (await page.request.get(path)).text()
  return page.evaluate((html) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const metas = [...parsed.head.querySelectorAll('meta[name], meta[property]')].map((meta) => [
      meta.getAttribute('property') ?? meta.getAttribute('name'),
      meta.getAttribute('content'),
    ])
    return {
      title: parsed.title,
      tags: Object.fromEntries(metas) as Record<string, string>,
      canonical: parsed.head.querySelector('link[rel=canonical]')?.getAttribute('href'),
      alternates: [...parsed.head.querySelectorAll('link[rel=alternate]')].map((link) => ({
        type: link.getAttribute('type'),
        href: link.getAttribute('href') ?? '',
      })),
      data: [...parsed.querySelectorAll('script[type="application/ld+json"]')].map((script) =>
        JSON.parse(script.textContent ?? ''),
      ),
      scripts: parsed.querySelectorAll('script:not([src], [type$="json"])').length,
      strays: parsed.body.querySelectorAll('meta, link, title').length,
    }
  }, source)
}

type XmlNode = {
  name: string
  text: string
  attributes: Record<string, string>
  children: XmlNode[]
}

/** An XML answer as the browser's parser sees it; a text that is not well-formed throws. */
async function readXml(page: Page, path: string): Promise<XmlNode> {
  const text = await (await page.request.get(path)).text()
  return page.evaluate((xml) => {
    const parsed = new DOMParser().parseFromString(xml, 'text/xml')
    const failure = parsed.querySelector('parsererror')
    if (failure) throw new Error(failure.textContent ?? '')
    const toTree = (element: Element): XmlNode => ({
      name: element.tagName,
      text: element.children.length === 0 ? (element.textContent ?? '') : '',
      attributes: Object.fromEntries(
        [...element.attributes].map(({ name, value }) => [name, value]),
      ),
      children: [...element.children].map(toTree),
    })
    return toTree(parsed.documentElement)
  }, text)
}

function byName(node: XmlNode | undefined): Partial<Record<string, XmlNode>> {
  return Object.fromEntries((node?.children ?? []).map((child) => [child.name, child]))
}

test('a parser finds every tag whole, with the texts as they were written', async () => {
  const { page } = await server.open()
  await page.goto('/api/health')
  const head = await readHead(page, `/video/${videoId}`)
  const flat = DESCRIPTION.replace(/\s+/g, ' ')
  expect(head).toMatchObject({
    title: `${TITLE} · Clutch`,
    canonical: `${server.origin}/video/${videoId}`,
    // The one that sets the colours.
    scripts: 1,
    strays: 0,
  })
  expect(head.tags).toMatchObject({
    description: flat,
    'og:title': TITLE,
    'og:description': flat,
    'og:site_name': 'Clutch',
    'twitter:title': TITLE,
    'og:video:width': '480',
    'og:video:height': '270',
    'video:tag': 'ace',
  })
  expect(head.data).toMatchObject([{ '@type': 'VideoObject', name: TITLE, duration: 'PT20S' }])
  const types: Record<string, string> = {
    'og:image': 'image/jpeg',
    'og:video': 'video/mp4',
    'twitter:player:stream': 'video/mp4',
    'twitter:player': 'text/html; charset=utf-8',
  }
  for (const [tag, type] of Object.entries(types)) {
    const answer = await page.request.get(head.tags[tag] ?? '')
    expect([tag, answer.status(), answer.headers()['content-type']]).toEqual([tag, 200, type])
  }
  for (const { type, href } of head.alternates) {
    const answer = await page.request.get(href)
    expect([type, answer.status()]).toEqual([type, 200])
  }
  expect(head.alternates).toHaveLength(4)
  const hidden = await readHead(page, `/video/${hiddenId}`)
  expect(hidden).toMatchObject({ title: 'Clutch', data: [], alternates: [] })
})

test('the page itself takes the tags over without doubling one, and drops them as one goes on', async () => {
  const { page, problems } = await server.open()
  await page.goto(`/video/${videoId}`)
  await page.getByRole('heading', { name: TITLE }).waitFor()
  const count = (selector: string) => page.locator(`head ${selector}`).count()
  expect(await count('meta[property="og:title"]')).toBe(1)
  expect(await count('link[rel=canonical]')).toBe(1)
  await page.getByRole('link', { name: 'Clutch' }).first().click()
  await page.waitForURL('/')
  await expect.poll(() => count('[data-page]')).toBe(0)
  expect(await count('meta[property="og:title"]')).toBe(0)
  await page.goBack()
  await expect.poll(() => count('meta[property="og:title"]')).toBe(1)
  expect(problems).toEqual([])
})

test('feeds are RSS 2.0, oEmbed and the sitemap are what their specifications ask for', async () => {
  const { page } = await server.open()
  await page.goto('/api/health')
  const rss = await readXml(page, '/feeds/videos.xml')
  expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0'])
  const parts = rss.children[0]?.children ?? []
  for (const name of ['title', 'link', 'description', 'atom:link']) {
    expect(parts.filter((part) => part.name === name)).toHaveLength(1)
  }
  const item = parts.find(({ name }) => name === 'item')
  const found = byName(item)
  expect(found.title?.text).toBe(TITLE)
  expect(found.description?.text).toBe(DESCRIPTION)
  expect(found.guid?.text).toBe(`${server.origin}/video/${videoId}`)
  expect(new Date(found.pubDate?.text ?? '').getTime()).not.toBeNaN()
  expect(found['dc:creator']?.text).toBe('The nova')
  const { url = '', length, type } = found.enclosure?.attributes ?? {}
  const file = await page.request.head(url)
  expect([type, length]).toEqual(['video/mp4', file.headers()['content-length']])
  expect(found['media:content']?.attributes).toMatchObject({ medium: 'video', width: '480' })

  const address = new URLSearchParams({ url: `${server.origin}/video/${videoId}`, format: 'xml' })
  const oembed = await readXml(page, `/oembed?${address}`)
  const fields = Object.fromEntries(oembed.children.map(({ name, text }) => [name, text]))
  expect(oembed.name).toBe('oembed')
  expect(fields).toMatchObject({
    type: 'video',
    version: '1.0',
    title: TITLE,
    width: '960',
    height: '540',
  })
  expect(fields).toMatchObject({ thumbnail_width: '480', thumbnail_height: '270' })
  const frame = await page.evaluate((html) => {
    const [element] = new DOMParser().parseFromString(html, 'text/html').body.children
    return {
      name: element?.tagName,
      src: element?.getAttribute('src'),
      title: element?.getAttribute('title'),
    }
  }, fields.html ?? '')
  expect(frame).toEqual({ name: 'IFRAME', src: `${server.origin}/embed/${videoId}`, title: TITLE })

  const sitemap = await readXml(page, '/sitemap.xml')
  expect([sitemap.name, sitemap.attributes.xmlns]).toEqual([
    'urlset',
    'http://www.sitemaps.org/schemas/sitemap/0.9',
  ])
})

test('another site’s frame plays from the second it asks for, without sound and without cookies', async () => {
  const { page, problems } = await openPage(server.browser, { origin: elsewhereUrl() })
  await page.goto('/?autoplay=1&t=5')
  const frame = page.frameLocator('iframe')
  const video = frame.locator('video')
  await video.waitFor({ state: 'attached' })
  const state = () =>
    video.evaluate((element: HTMLVideoElement) => ({
      time: element.currentTime,
      muted: element.muted,
      paused: element.paused,
    }))
  await expect.poll(async () => (await state()).time).toBeGreaterThan(5.2)
  expect(await state()).toMatchObject({ muted: true, paused: false })
  expect(await page.context().cookies()).toEqual([])
  const link = frame.getByRole('link', { name: 'Watch on Clutch' })
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await frame.getByRole('button', { name: 'Theatre mode' }).count()).toBe(0)
  expect(problems).toEqual([])
})

test('without being asked to, the frame waits, and everybody can use it', async () => {
  const { page, problems } = await server.open()
  await page.goto(`/embed/${videoId}`)
  const video = page.locator('video')
  await video.waitFor()
  expect(await video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true)
  expect(await page.title()).toBe(`${TITLE} · Clutch`)
  expect(await auditPage(page)).toEqual([])
  expect(problems).toEqual([])
})

longTest(
  'without JavaScript the frame says what it needs, unless there is nothing to play',
  async () => {
    const context = await server.browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${server.origin}/embed/${videoId}`)
    const note = page.locator('noscript p')
    await note.click({ trial: true, timeout: 10_000 })
    await page.goto(`${server.origin}/embed/${hiddenId}`)
    await page.getByText('This video could not be found or is no longer available.').waitFor()
    expect(await note.count()).toBe(0)
    await context.close()
  },
)

test('what the public cannot see is not there in a frame either, in words', async () => {
  const { page } = await server.open({ viewport: { width: 320, height: 180 } })
  for (const id of [hiddenId, 99_999, 'abc']) {
    const answer = await page.goto(`/embed/${id}`)
    expect(answer?.status()).toBe(404)
    await page.getByText('This video could not be found or is no longer available.').waitFor()
    expect(await page.content()).not.toContain('Secret round')
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThanOrEqual(180)
  }
  const headers = (await page.request.get(`/embed/${hiddenId}`)).headers()
  expect(headers['x-frame-options']).toBeUndefined()
  expect(headers['content-security-policy']).toContain('frame-ancestors *')
})
