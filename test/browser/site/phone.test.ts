import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE, type SavedState } from '#test/support/browser.ts'
import { dragFinger, setSafeArea, swipe } from '#test/support/finger.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside, keepPicture, showScheme } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
let state: SavedState
let ownerId: number
let videoId: number

const addVideo = (title: string, row: object = {}) =>
  writeRows(server, (db) => addVideos(db, [{ userId: ownerId, title, duration: 60, ...row }]))

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'thumb')
  ownerId = await writeRows(server, (db) => addMember(db, 'Owner'))
  const [id = 0] = await addVideo('A match', { likeCount: 123_456, dislikeCount: 4567 })
  videoId = id
  await page.request.post('/api/subscriptions', { data: { channelId: ownerId } })
  for (let n = 0; n < 8; n++) await addVideo(`Match ${n}`)
  state = await page.context().storageState()
  await page.context().close()
})

async function open(path: string, options: { isVisitor?: boolean } = {}) {
  const opened = await server.open({ isPhone: true, state: options.isVisitor ? undefined : state })
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  await opened.page.goto(path)
  return opened
}

const TOP = { x: 195, y: 200 }
const BELOW = { x: 195, y: 420 }
const sign = (page: Page) => page.locator('[data-pull]')
const card = (page: Page, title: string) => page.getByRole('link', { name: title }).first()

test.each(isLongForm ? ['/', '/subscriptions'] : ['/'])(
  'pulling %s down loads its list again',
  async (path) => {
    const { page, problems } = await open(path)
    const title = `New on ${path}`
    await card(page, 'Match 7').waitFor()
    await sign(page).waitFor({ state: 'attached' })
    await addVideo(title)
    // A pull of 60 px is too short.
    await swipe(page, TOP, { ...TOP, y: TOP.y + 60 })
    await expect.poll(() => sign(page).getAttribute('data-pull')).toBe('none')
    expect(await card(page, title).count()).toBe(0)
    const lift = await dragFinger(page, TOP, BELOW)
    await expect.poll(() => sign(page).getAttribute('data-pull')).toBe('enough')
    await keepPicture(page, `pull ${path.slice(1) || 'home'}`)
    for (const scheme of ['dark', 'light']) {
      await showScheme(page, scheme)
      expect(await auditPage(page)).toEqual([])
    }
    await lift()
    await card(page, title).waitFor()
    await expect.poll(() => sign(page).getAttribute('data-pull')).toBe('none')
    expect(problems).toEqual([])
  },
)

const ASKED: [path: string, procedure: string][] = [
  ['/explore', 'explore.'],
  ['/history', 'history.'],
  ['/squads', 'squad.'],
  ['/studio', 'video.'],
]
longTest.each(ASKED)('pulling %s down requests its data again', async (path, procedure) => {
  const { page } = await open(path)
  await sign(page).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  const asked = page.waitForRequest((request) => request.url().includes(procedure))
  await swipe(page, TOP, BELOW)
  await asked
  await expect.poll(() => sign(page).getAttribute('data-pull')).toBe('none')
})

longTest('a pull works only downwards, from the top of the page, and not in a dialog', async () => {
  const { page } = await open('/subscriptions')
  await card(page, 'Match 7').waitFor()
  await sign(page).waitFor({ state: 'attached' })
  const pulls = async (to: typeof TOP) => {
    const lift = await dragFinger(page, TOP, to)
    const pull = await sign(page).getAttribute('data-pull')
    await lift()
    return pull
  }
  expect(await pulls({ x: 20, y: TOP.y + 60 })).toBe('none')
  await page.evaluate(() => scrollTo(0, 300))
  expect(await pulls({ ...TOP, y: TOP.y + 120 })).toBe('none')
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Open menu' }).tap()
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  expect(await pulls(BELOW)).toBe('none')
})

longTest(
  'with reduced motion the sign of a pull does not move, and desktops have no sign',
  async () => {
    const { page } = await open('/')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await sign(page).waitFor({ state: 'attached' })
    const placeAt = async (y: number, expected: string) => {
      const lift = await dragFinger(page, TOP, { ...TOP, y })
      await expect.poll(() => sign(page).getAttribute('data-pull')).toBe(expected)
      const isSeen = await sign(page).locator('span').first().isVisible()
      const box = await sign(page).locator('span').first().boundingBox()
      await lift()
      return { isSeen, y: box?.y }
    }
    expect((await placeAt(TOP.y + 80, 'pulling')).isSeen).toBe(false)
    const first = await placeAt(TOP.y + 160, 'enough')
    expect(first.isSeen).toBe(true)
    await expect.poll(() => sign(page).getAttribute('data-pull')).toBe('none')
    expect(await placeAt(TOP.y + 190, 'enough')).toEqual(first)
    const { page: desktop } = await server.open({ state })
    await desktop.goto('/')
    await card(desktop, 'Match 7').waitFor()
    await desktop.waitForLoadState('networkidle')
    expect(await sign(desktop).count()).toBe(0)
  },
)

test.each(isLongForm ? [false, true] : [true])(
  'the buttons of a video are large and within reach of a thumb (visitor: %s)',
  async (isVisitor) => {
    const { page, problems } = await open(`/video/${videoId}`, { isVisitor })
    const more = page.getByRole('button', { name: 'More actions' }).first()
    await more.waitFor()
    const acts = [
      page.getByText(isVisitor ? 'Sign in to like' : 'Like', { exact: true }).first(),
      page.getByRole('button', { name: /^Open comments/ }),
      page.getByRole('button', { name: 'Share', exact: true }),
      more,
    ]
    for (const place of ['top', 'below']) {
      if (place === 'below') await page.evaluate(() => scrollTo(0, 400))
      for (const one of acts) {
        const box = await one.boundingBox()
        expect(box?.y, place).toBeGreaterThanOrEqual(PHONE.height / 2)
      }
    }
    await page.evaluate(() => scrollTo(0, 0))
    const bar = more.locator('xpath=..')
    const buttons = bar.locator('button, a')
    const boxes = await buttons.evaluateAll((all) =>
      all.map((one) => {
        const { left, right, width, height } = one.getBoundingClientRect()
        return { left, right, width, height }
      }),
    )
    for (const [index, { left, width, height }] of boxes.entries()) {
      // No button overlaps another, however large the numbers are.
      expect(left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0)
      expect(Math.round(width)).toBeGreaterThanOrEqual(44)
      expect(Math.round(height)).toBeGreaterThanOrEqual(44)
    }
    // The bar keeps the margin of the page at both ends.
    expect(Math.min(...boxes.map(({ left }) => left))).toBeGreaterThanOrEqual(16)
    expect(Math.max(...boxes.map(({ right }) => right))).toBe(PHONE.width - 16)
    expect(await findOutside(page)).toEqual([])
    for (const scheme of ['dark', 'light']) {
      await showScheme(page, scheme)
      expect(await auditPage(page)).toEqual([])
      await keepPicture(page, `watch bar ${isVisitor ? 'visitor' : 'member'} ${scheme}`)
    }
    await more.tap()
    await page.getByRole('menuitem', { name: isVisitor ? 'Sign in to save' : 'Save' }).tap()
    if (isVisitor) await page.waitForURL('**/auth**')
    else await page.getByRole('dialog', { name: 'Add to playlist' }).waitFor()
    expect(problems).toEqual([])
  },
)

test('the comments of a video open as a sheet, and a swipe down closes it', async () => {
  const { page } = await open(`/video/${videoId}`)
  await page.getByRole('button', { name: 'Open comments, 0' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Comments' })
  await sheet.getByRole('textbox').fill('Well played')
  await sheet.getByRole('button', { name: 'Comment', exact: true }).tap()
  await sheet.getByRole('article').getByText('Well played').waitFor()
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
    await keepPicture(page, `watch comments 390 ${scheme}`)
  }
  const box = await sheet.boundingBox()
  const top = { x: 195, y: (box?.y ?? 0) + 12 }
  await swipe(page, top, { ...top, y: top.y + 200 })
  await sheet.waitFor({ state: 'detached' })
  const opener = page.getByRole('button', { name: 'Open comments, 1' })
  expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true)
})

longTest(
  'the sheet of comments has its title and the button that closes it in one line',
  async () => {
    const { page } = await open(`/video/${videoId}`)
    await page.getByRole('button', { name: /^Open comments/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Comments' })
    const middleOf = async (name: string, role: 'heading' | 'button') => {
      const box = await sheet.getByRole(role, { name }).boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0) / 2
    }
    await sheet.getByRole('heading', { name: 'Comments' }).waitFor()
    const apart = async () =>
      Math.abs(
        (await middleOf('Comments', 'heading')) - (await middleOf('Close comments', 'button')),
      )
    await expect.poll(apart).toBeLessThan(6)
  },
)

longTest('liking a video makes the phone vibrate', async () => {
  const { page } = await open(`/video/${videoId}`)
  await page.evaluate(() => {
    const felt: unknown[] = []
    Object.assign(window, { felt })
    navigator.vibrate = (pattern) => felt.push(pattern) > 0
  })
  const felt = () => page.evaluate(() => (window as unknown as { felt: unknown[] }).felt.length)
  const like = page.getByRole('button', { name: /^Like/ }).first()
  await like.tap()
  await expect.poll(() => like.getAttribute('aria-pressed')).toBe('true')
  expect(await felt()).toBe(1)
  await like.tap()
  await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false')
  expect(await felt()).toBe(1)
})

longTest('controls and cards stay inside the safe area of the screen', async () => {
  const { page } = await open('/')
  await card(page, 'Match 7').waitFor()
  await setSafeArea(page, { bottom: 34 })
  const tabs = page.getByRole('navigation', { name: 'Tabs' }).getByRole('link')
  const lowest = () =>
    tabs.evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom)))
  await expect.poll(lowest).toBe(PHONE.height - 34)
  await page.goto(`/video/${videoId}`)
  await setSafeArea(page, { bottom: 34 })
  const more = page.getByRole('button', { name: 'More actions' }).first()
  const end = async () => {
    const box = await more.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  await more.waitFor()
  const tabTop = async () => (await page.getByRole('navigation', { name: 'Tabs' }).boundingBox())?.y
  expect(await end()).toBeLessThanOrEqual((await tabTop()) ?? 0)
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto('/subscriptions')
  await setSafeArea(page, { left: 47, right: 47, bottom: 21 })
  await card(page, 'Match 7').waitFor()
  const sides = () =>
    page.locator('header a, header button, main article').evaluateAll((all) => {
      const boxes = all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 1)
      const [left, right] = [boxes.map((box) => box.left), boxes.map((box) => box.right)]
      return { left: Math.min(...left) >= 47, right: Math.max(...right) <= innerWidth - 47 }
    })
  await expect.poll(sides).toEqual({ left: true, right: true })
})

test('a phone held sideways has the tab bar, a picture that fills, and dialogs that fit', async () => {
  const { page, problems } = await open('/subscriptions')
  await page.setViewportSize({ width: 844, height: 390 })
  const tabs = page.getByRole('navigation', { name: 'Tabs' })
  await card(page, 'Match 7').waitFor()
  await tabs.getByRole('link', { name: 'Library' }).waitFor()
  expect(await page.getByRole('link', { name: 'History' }).isVisible()).toBe(false)
  expect((await page.getByRole('banner').boundingBox())?.height).toBe(48)

  await page.goto(`/video/${videoId}`)
  // The picture has all of the window below the header.
  const title = page.getByRole('heading', { name: 'A match' })
  await expect.poll(async () => (await title.boundingBox())?.y).toBeGreaterThanOrEqual(390)
  expect(await tabs.isVisible()).toBe(false)

  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number }
  await writeRows(server, (db) => addVideos(db, [{ userId: id, title: 'Mine', duration: 60 }]))
  await page.goto('/studio')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Video' })
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 844, height: 390 })
  const heading = await dialog.getByRole('heading', { name: 'Edit Video' }).boundingBox()
  expect(heading?.y).toBeGreaterThanOrEqual(0)
  expect(await findOutside(page)).toEqual([])
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
  }
  await keepPicture(page, 'sideways edit')
  expect(problems).toEqual([])
})
