import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { DESKTOP, launchBrowser, PHONE } from '#test/support/browser.ts'
import { type FullSite, startFullSite } from '#test/support/full-site.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { findOutside, keepPicture, waitUntilSettled } from '#test/support/page-check.ts'

let browser: Browser
let site: FullSite

beforeAll(async () => {
  browser = await launchBrowser()
  site = await startFullSite(browser)
})
afterAll(async () => {
  await browser.close()
  await site.remove()
})

async function openAsMember(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: site.server.origin, viewport: DESKTOP, storageState: site.sessions.member },
    ...options,
  })
  return context.newPage()
}

/** The names of what moves on the page at this moment. */
const movements = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map((one) => (one instanceof CSSAnimation ? one.animationName : one.constructor.name)),
  )

longTest('nothing moves for those who asked for stillness', async () => {
  const page = await openAsMember({ reducedMotion: 'reduce' })
  const answers = Promise.withResolvers<void>()
  await page.route(/\/trpc\//, async (route) => {
    await answers.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.locator('#root svg').first().waitFor()
  expect(await movements(page)).toEqual([])
  answers.resolve()
  const card = page.getByRole('article').first()
  await card.waitFor()
  await card.hover()
  await expect.poll(() => movements(page)).toEqual([])
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect.poll(() => movements(page)).toEqual([])
  await page.goto('/studio')
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByText('This action cannot be undone.').waitFor()
  await expect.poll(() => movements(page)).toEqual([])
  await page.context().close()
})

const PATHS = ['/', '/studio', '/upload', '/video/{video}', '/subscriptions?tab=channels']

longTest(
  'where colours are forced, the focus, what is chosen and how far it is are seen',
  async () => {
    const page = await openAsMember({ forcedColors: 'active', colorScheme: 'dark' })
    for (const path of [...PATHS, '/video/{processing}']) {
      await visit(page, path)
      await keepPicture(page, `forced colors ${path.replaceAll(/\W+/g, ' ').trim()}`)
    }
    const seen = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property)
    const bar = page.getByRole('progressbar', { name: 'Preparing your video' })
    await bar.waitFor()
    const [track, fill] = await bar.evaluate((one) => [
      getComputedStyle(one).backgroundColor,
      getComputedStyle(one.firstElementChild ?? one).backgroundColor,
    ])
    expect(fill).not.toBe(track)
    await page.goto('/')
    await page.getByRole('article').first().hover()
    const dots = '[aria-label^="Actions for"]'
    expect(await seen(dots, 'background-image')).not.toBe('none')
    expect(await seen(dots, 'color')).not.toBe(await seen('body', 'background-color'))
    await page.goto('/?category=Rust')
    await page.getByRole('navigation', { name: 'Categories' }).waitFor()
    const chosen = '[aria-label="Categories"] [aria-current]'
    const others = '[aria-label="Categories"] a:not([aria-current])'
    await page.locator(chosen).waitFor()
    expect(await seen(chosen, 'background-color')).not.toBe(await seen(others, 'background-color'))
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().focus()
    expect(await seen(':focus', 'outline-style')).not.toBe('none')
    await page.context().close()
  },
)

const TEXT_PLACES = [
  ...PATHS,
  ...[
    '/explore',
    '/history',
    '/library',
    '/notifications',
    '/playlist/{playlist}',
    '/settings',
    '/search?q=a',
  ],
  ...[
    '/profile/{channel}',
    '/profile/{channel}?tab=about',
    '/subscriptions',
    '/playlist/watch-later',
  ],
]

const QUICK_TEXT_PLACES = ['/video/{video}', '/settings', '/profile/{channel}']

longTest('text of twice the size is not cut off and makes nobody scroll sideways', async () => {
  const page = await openAsMember({ reducedMotion: 'reduce' })
  const problems: string[] = []
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    for (const path of isLongForm ? TEXT_PLACES : QUICK_TEXT_PLACES) {
      await visit(page, path)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      const place = `${path.replaceAll(/\W+/g, ' ').trim()} ${size.width}`
      await keepPicture(page, `large text ${place}`)
      const found = [...(await findOutside(page)), ...(await findCutText(page))]
      problems.push(...found.map((problem) => `${place}: ${problem}`))
    }
  }
  expect(problems).toEqual([])
  await page.context().close()
})

longTest("a finger has 44 px of each of the player's controls", async () => {
  const page = await openAsMember({ viewport: PHONE, hasTouch: true, isMobile: true })
  await visit(page, '/video/{video}')
  const bar = page.getByRole('slider', { name: 'Seek' })
  await bar.waitFor()
  const low = await page.getByRole('group', { name: 'Video player' }).evaluate((player) =>
    [...player.querySelectorAll<HTMLElement>('button, [role="slider"]')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => {
        const before = getComputedStyle(one, '::before')
        const reach = before.content === 'none' ? 0 : Number.parseFloat(before.height)
        const height = Math.max(one.getBoundingClientRect().height, reach)
        return { height, name: one.getAttribute('aria-label') ?? one.textContent }
      })
      .filter(({ height }) => height < 44),
  )
  expect(low).toEqual([])
  await page.context().close()
})

/** Text that its line, its box or its button does not hold; what is clamped or ends in dots may go on. */
const findCutText = (page: Page) =>
  page.evaluate(() => {
    const problems: string[] = []
    const isUnseen = (one: Element | null) => one && getComputedStyle(one).clipPath !== 'none'
    const lookAt = (element: HTMLElement, text: Node) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      const words = range.getBoundingClientRect()
      const about = `"${text.textContent?.trim().slice(0, 30)}" ${element.className}`
      const style = getComputedStyle(element)
      if (Number.parseFloat(style.lineHeight) < 0.95 * Number.parseFloat(style.fontSize)) {
        problems.push(`lines on top of each other: ${about}`)
      }
      const pressed = element.closest('a, button')?.getBoundingClientRect()
      if (pressed && style.textOverflow !== 'ellipsis' && words.right > pressed.right + 1) {
        problems.push(`wider than what one presses: ${about}`)
      }
      for (let box: Element | null = element; box; box = box.parentElement) {
        const { overflowY, webkitLineClamp } = getComputedStyle(box)
        if (webkitLineClamp !== 'none' || box === document.body) return
        const { top, bottom } = box.getBoundingClientRect()
        const isCut = words.bottom > bottom + 6 || words.top < top - 6
        if (isCut && /hidden|clip/.test(overflowY)) problems.push(`cut off: ${about}`)
      }
    }
    for (const element of document.body.querySelectorAll<HTMLElement>(':not(option)')) {
      const text = [...element.childNodes].find((one) => one instanceof Text && one.data.trim())
      const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      if (text && isSeen && !isUnseen(element) && !isUnseen(element.parentElement)) {
        lookAt(element, text)
      }
    }
    for (const one of document.querySelectorAll('header a, header button')) {
      const { left, right } = one.getBoundingClientRect()
      if (left < 0 || right > innerWidth)
        problems.push(`out of sight: ${one.outerHTML.slice(0, 90)}`)
    }
    return problems
  })

async function visit(page: Page, path: string): Promise<void> {
  const { ids } = site
  await page.goto(path.replace(/\{(\w+)\}/, (_, name) => String(ids[name as keyof typeof ids])))
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await waitUntilSettled(page)
}
