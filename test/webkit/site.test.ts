import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { makeClip } from '../support/clips.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { PASSWORD, register } from '../support/site-member.ts'
import { addVideos, writeRows } from '../support/site-rows.ts'
import { openWebKit, type WebKitPage } from './support/webdriver.ts'

const VIDEOS = 150
/** A row far down, deeper than the first two pages of the list. */
const DEPTH = 9000

let server: ServerProcess
let page: WebKitPage
const folder = setUpFolder('webkit')

beforeAll(async () => {
  server = await startServer()
  const { id: userId } = await register(server.origin, 'nova')
  const titles = Array.from({ length: VIDEOS }, (_, index) => `Round ${index + 1}`)
  await writeRows(server, (db) =>
    addVideos(
      db,
      titles.map((title) => ({ userId, title })),
    ),
  )
  page = await openWebKit()
})
afterAll(async () => {
  await page?.close()
  await server?.remove()
})

const pathOf = () => page.run(() => location.pathname)

const isThere = (selector: string) =>
  page.run((wanted) => document.querySelector(wanted) !== null, selector)

const see = (selector: string) => expect.poll(() => isThere(selector)).toBe(true)

const topOf = (path: string) =>
  page.run((wanted) => {
    const link = [...document.querySelectorAll(`article h2 a[href="${wanted}"]`)].at(-1)
    return link ? Math.round(link.getBoundingClientRect().top) : null
  }, path)

async function scrollDeep(): Promise<void> {
  const scroll = (depth: number) => {
    window.scrollTo(0, depth)
    return window.scrollY
  }
  await expect.poll(() => page.run(scroll, DEPTH)).toBe(DEPTH)
}

/** @returns the link of a card in view and how far down it is */
const findCard = () =>
  page.run(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('article h2 a')]
    const link = links.find((one) => one.getBoundingClientRect().top > 100)
    const top = Math.round(link?.getBoundingClientRect().top ?? 0)
    return { path: link?.pathname ?? '', top }
  })

test('Back keeps the place after the page of the video was loaded again', async () => {
  await page.goto(server.origin)
  await see('article')
  await scrollDeep()
  const { path, top } = await findCard()
  await page.run((href) => {
    document.querySelector<HTMLElement>(`article h2 a[href="${href}"]`)?.click()
  }, path)
  await expect.poll(pathOf).toBe(path)
  await see('h1')
  await page.reload()
  await see('h1')
  await page.run(() => history.back())
  await expect.poll(() => topOf(path)).toBe(top)
})

test('Back from a page of another site keeps the place', async () => {
  await page.goto(server.origin)
  await see('article')
  await scrollDeep()
  const { path, top } = await findCard()
  await page.goto(`${server.origin.replace('127.0.0.1', 'localhost')}/api/health`)
  await page.back()
  await expect.poll(() => topOf(path)).toBe(top)
})

test('a file is uploaded and leads to its video', async () => {
  const clip = join(folder, 'match.mp4')
  await makeClip({ path: clip, width: 320, height: 240, seconds: 10, frameRate: 10 })
  await page.goto(`${server.origin}/auth?next=/upload`)
  await see('input[name=username]')
  await page.type('input[name=username]', 'nova')
  await page.type('input[name=password]', PASSWORD)
  await page.click('form button[type=submit]')
  await expect.poll(pathOf).toBe('/upload')
  await see('input[type=file]')
  await page.type('input[type=file]', clip)
  await see('input[name=title]')
  await page.run(() => {
    const buttons = [...document.querySelectorAll('button')]
    buttons.find((one) => one.textContent === 'Upload Video')?.click()
  })
  await expect.poll(pathOf).toMatch(/^\/video\/\d+$/)
  await see('video')
})
