import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { keepPicture } from '#test/support/page-check.ts'
import { runCommand } from '#test/support/run-command.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const VIDEOS = 12
const WIDE = 1.8

const folder = setUpFolder('cards')
const dataFolder = join(folder, 'data')

beforeAll(async () => {
  const clip = await makeClip({ path: join(folder, 'match.mp4'), seconds: 6 })
  const tall = { path: join(folder, 'phone.mp4'), seconds: 6, width: 180, height: 320 }
  const old = { path: join(folder, 'old.mp4'), seconds: 6, width: 240, height: 180 }
  const counts = ['--users', '3', '--videos', String(VIDEOS), '--comments', '0']
  const media = ['--media', clip, await makeClip(tall), await makeClip(old)]
  await runCommand('seed', { dataFolder, args: [...counts, ...media] })
})
const server = setUpHostedSite({ dataFolder })

/** The addresses a page asks for whose end is `ending`, as they come. */
function watchRequests(page: Page, ending: string): string[] {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(ending)) urls.push(request.url())
  })
  return urls
}

const playing = 'canvas[data-playing]'

test('pointing at a card plays its storyboard, and leaving it brings the poster back', async () => {
  const { page, problems } = await server.open()
  const storyboards = watchRequests(page, '/storyboard.vtt')
  await page.goto('/')
  const card = page.getByRole('article').nth(1)
  await card.waitFor()
  const before = await card.boundingBox()
  expect(storyboards).toEqual([])
  await card.hover()
  await card.locator(playing).waitFor()
  expect(storyboards).toHaveLength(1)
  expect(await card.boundingBox()).toEqual(before)
  expect(await card.getByRole('button', { name: /^Actions for/ }).isVisible()).toBe(true)
  await page.mouse.move(1, 1)
  await card.locator('canvas').waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('a picture of another shape is shown whole, in front of its own blurred copy', async () => {
  const { page, problems } = await server.open()
  await page.goto('/')
  await page
    .getByRole('article')
    .nth(VIDEOS - 1)
    .waitFor()
  const shapes = await page.locator('article').evaluateAll(async (cards) => {
    const images = cards.map((card) => [...card.querySelectorAll<HTMLImageElement>('img[width]')])
    for (const image of images.flat()) image.scrollIntoView()
    await Promise.all(images.flat().map((image) => image.decode()))
    return cards.map((card) => {
      const image = card.querySelector<HTMLImageElement>('img[width]')
      const frame = image?.parentElement?.getBoundingClientRect()
      const box = image?.getBoundingClientRect()
      if (!image || !frame || !box) return null
      return {
        shape: Math.round((image.naturalWidth / image.naturalHeight) * 10) / 10,
        isWhole: getComputedStyle(image).objectFit === 'contain',
        hasGlow: card.querySelector('img[aria-hidden]') !== null,
        isFramed: Math.abs(frame.height - box.height) < 1 && Math.abs(frame.width - box.width) < 1,
      }
    })
  })
  const kinds = new Set(shapes.map((card) => card?.shape))
  expect(kinds).toEqual(new Set([WIDE, 1.3, 0.6]))
  for (const card of shapes) {
    const isOther = card?.shape !== WIDE
    expect(card).toMatchObject({ isFramed: true, isWhole: isOther, hasGlow: isOther })
  }
  await keepPicture(page, 'tall-cards')
  expect(problems).toEqual([])
})

longTest('cards that pass under the mouse begin no transition', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const transitions = await page.evaluateHandle(() => {
    const begun: string[] = []
    document.addEventListener('transitionrun', ({ target }) =>
      begun.push((target as Element).className),
    )
    return begun
  })
  for (const index of [1, 2]) {
    const card = page.getByRole('article').nth(index)
    await card.hover()
    await card.locator(playing).waitFor()
  }
  expect(await transitions.jsonValue()).toEqual([])
})

longTest('the keyboard plays a storyboard too', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const card = page.getByRole('article').nth(1)
  await card.waitFor()
  const tonight = page.getByRole('region', { name: 'Tonight' })
  await tonight.getByRole('button', { name: /^Actions for/ }).focus()
  await page.keyboard.press('Tab')
  await card.locator(playing).waitFor()
  await page.keyboard.press('Shift+Tab')
  await card.locator('canvas').waitFor({ state: 'detached' })
})

test('where reduced motion is asked for no storyboard plays or is loaded', async () => {
  const { page } = await server.open()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const storyboards = watchRequests(page, '/storyboard.vtt')
  await page.clock.install()
  await page.goto('/')
  const card = page.getByRole('article').nth(1)
  await card.hover()
  await page.clock.runFor(1000)
  expect(await card.locator('canvas').count()).toBe(0)
  expect(storyboards).toEqual([])
})

test('a card shows the small picture; the first row comes at once, the rest as one scrolls', async () => {
  const { page } = await server.open()
  const posters = watchRequests(page, '.jpg')
  await page.goto('/')
  const pictures = page.getByRole('article').locator('img[srcset]')
  await pictures.first().waitFor()
  const shown = await pictures.evaluateAll((images) =>
    images.map((image) => {
      const { currentSrc, loading, fetchPriority } = image as HTMLImageElement
      return { isSmall: currentSrc.endsWith('.webp') || currentSrc === '', loading, fetchPriority }
    }),
  )
  expect(shown).toHaveLength(VIDEOS)
  expect(shown.every(({ isSmall }) => isSmall)).toBe(true)
  expect(shown[0]).toMatchObject({ loading: 'eager', fetchPriority: 'high' })
  expect(shown.at(-1)).toMatchObject({ loading: 'lazy', fetchPriority: 'auto' })
  expect(posters).toEqual([])
})
