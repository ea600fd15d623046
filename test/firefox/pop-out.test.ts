import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { makeClip } from '../support/clips.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { register, uploadVideo } from '../support/site-member.ts'
import { launchFirefox, named, openPage } from './support/firefox.ts'

/** Firefox offers its own picture in picture from 45 s on. */
const SECONDS = 47
/** Where its button lies, from the top of the picture to its lower edge. */
const BUTTON_SHARE = 0.66

let server: ServerProcess
let browser: Browser
const folder = setUpFolder('pop-out')
let videoId: number

beforeAll(async () => {
  server = await startServer({ env: { RENDITIONS: '144' } })
  const owner = await register(server.origin, 'nova')
  const path = join(folder, 'match.mp4')
  const clip = await makeClip({ path, width: 320, height: 180, seconds: SECONDS, frameRate: 5 })
  videoId = await uploadVideo(owner, clip, 'The long match')
  browser = await launchFirefox()
})
afterAll(async () => {
  await browser?.close()
  await server?.remove()
})

test('what is pressed in the settings menu is chosen where Firefox has its own button on the video', async () => {
  const { page, close } = await openPage(browser)
  await page.goto(`${server.origin}/video/${videoId}`)
  const player = await page.waitForSelector('[role="group"] video')
  const box = await player?.boundingBox()
  if (!box) throw new Error('There is no player.')
  await player?.evaluate(async (element) => {
    const video = element as HTMLVideoElement
    video.muted = true
    await video.play()
  })
  const middle = box.y + box.height * BUTTON_SHARE
  const showButton = async () => {
    await page.mouse.move(box.x + box.width / 2, middle)
    await page.mouse.move(box.x + box.width - 60, middle, { steps: 10 })
  }
  await showButton()
  await (await page.waitForSelector(named('button', 'Settings')))?.click()
  const rows = '[role="menuitemcheckbox"]'
  await page.waitForSelector(rows)
  const states = () =>
    page.$$eval(rows, (all) => all.map((row) => `${row.textContent}: ${row.ariaChecked}`))
  const rowAt = () =>
    page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y)?.closest('[role^="menuitem"]')?.textContent,
      [box.x + box.width - 60, middle] as const,
    )
  await expect.poll(rowAt).toBeTruthy()
  const pressed = await rowAt()
  const before = await states()
  await showButton()
  // So long the button takes to appear.
  await new Promise((resolve) => setTimeout(resolve, 800))
  await page.mouse.click(box.x + box.width - 60, middle)
  const flipped = before.map((state) =>
    state.startsWith(`${pressed}:`)
      ? state.replace(/true|false/, (word) => String(word === 'false'))
      : state,
  )
  await expect.poll(states).toEqual(flipped)
  await close()
})
