import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, openPage, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { type HostedSite, openHostedSite } from '#test/support/hosted-site.ts'
import { auditPage, findOutside } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

const RANGE = { startSeconds: 10.4, endSeconds: 13.4 }

let server: HostedSite
let browser: Browser
let folder: string
let page: Page
let problems: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-clip-'))
  server = await openHostedSite({ env: { RENDITIONS: '180' } })
  browser = await launchBrowser()
  const opened = await openPage(browser, { origin: server.origin })
  page = opened.page
  problems = opened.problems
  await register(page, 'clipper')
  const path = await makeClip({ path: join(folder, 'match.mp4'), seconds: 40, frameRate: 10 })
  await uploadClip(page, path, { title: 'The whole match' })
  const memory = JSON.stringify({ isMuted: true, startsItself: true })
  await page.addInitScript((text) => localStorage.setItem('clutch-player', text), memory)
})
afterAll(async () => {
  await browser.close()
  await server.remove()
  await rm(folder, { recursive: true, force: true })
})

const timeOf = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)

async function makeClipOf(title: string): Promise<number> {
  const { items } = await (await page.request.get('/api/videos'))
    .json()
    .then((items) => ({ items }))
  const data = { videoId: items[0].id, title, ...RANGE }
  return (await (await page.request.post('/api/clips', { data })).json()).id
}

test('its page plays its part of the video and nothing else, by keys and the bar too', async () => {
  const id = await makeClipOf('The shot')
  await page.goto(`/clip/${id}?t=1`)
  await expect.poll(timeOf).toBeGreaterThan(11.5)
  await page.getByRole('heading', { level: 1, name: 'The shot' }).waitFor()
  const seek = page.getByRole('slider', { name: 'Seek' })
  expect(await seek.getAttribute('aria-valuemax')).toBe('3')
  // It stops at its end, and begins again from its beginning.
  await page.getByRole('button', { name: 'Replay' }).waitFor()
  expect(await timeOf()).toBeLessThan(RANGE.endSeconds + 0.3)
  await page.keyboard.press('k')
  await expect.poll(timeOf).toBeLessThan(13)
  expect(await timeOf()).toBeGreaterThanOrEqual(RANGE.startSeconds - 0.05)
  await page.keyboard.press('k')
  await page.keyboard.press('Home')
  await expect.poll(timeOf).toBeCloseTo(RANGE.startSeconds, 1)
  await page.keyboard.press('j')
  await expect.poll(timeOf).toBeCloseTo(RANGE.startSeconds, 1)
  await page.getByRole('link', { name: /From the whole video/ }).click()
  await page.waitForURL('**/video/*?t=10')
  await expect.poll(timeOf).toBeGreaterThanOrEqual(10)
})

test('it has likes and comments of its own, is renamed and deleted, and says when it is gone', async () => {
  const id = await makeClipOf('The second shot')
  await page.goto(`/clip/${id}`)
  await page.getByRole('button', { name: 'Like, 0' }).click()
  await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
  await page.getByRole('textbox', { name: /comment/i }).fill('What a shot')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'What a shot' }).first().waitFor()
  await page.getByRole('button', { name: 'More actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('The better shot')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'The better shot' }).waitFor()
  await page.setViewportSize(PHONE)
  expect(await findOutside(page)).toEqual([])
  await auditPage(page)
  await page.getByRole('button', { name: 'More actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete Clip' }).click()
  await page.waitForURL('**/video/*')
  expect(await page.getByText('What a shot').count()).toBe(0)
  expect(problems).toEqual([])
  await page.goto(`/clip/${id}`)
  await page.getByRole('heading', { name: 'Clip not found' }).waitFor()
})
