import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE, TABLET } from '#test/support/browser.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const VIDEOS = 150
const PAGE = 48
/** Without the shelves of a member. */
const HOME = '/?category=Other'
/** A row of a usual window. */
const FEW = 4
/**
 * Pixels from the window's top to a card whose place is looked at. It is less than the height of a card, so that the row above it is
 * not in view as a whole: the page keeps the uppermost whole card in place.
 */
const TOP = 207
/** Behind the first whole block of cards. */
const AWAY = 130
/** From one column to nine. */
const WIDTHS = [320, 900, 1200, 1440, 1800, 2060, 2300, 2560, 2620, 2920]

const server = setUpHostedSite()
/** Signed in as a user who follows the channel that has all the videos. */
let page: Page
let channelId: number

beforeAll(async () => {
  ;({ page } = await server.open())
  const subscriberId = await register(page, 'ann')
  channelId = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'The Channel')
    const numbers = Array.from({ length: VIDEOS }, (_, index) => index)
    await addVideos(
      db,
      numbers.map((number) => ({ userId, title: `Match ${number}` })),
    )
    await addRows(db, 'subscriptions', {
      subscriberId,
      channelId: userId,
      subscribedAt: timestamp(),
    })
    return userId
  })
})

const cards = () => page.getByRole('article')

async function loadAll(): Promise<void> {
  const loadNext = async () => {
    await cards().last().scrollIntoViewIfNeeded()
    return cards().count()
  }
  await expect.poll(loadNext).toBe(VIDEOS)
}

const LISTS: [string, () => string][] = [
  ['home', () => HOME],
  ['search', () => '/search?q=match'],
  ['a channel', () => `/profile/${channelId}`],
  ['subscriptions', () => '/subscriptions'],
]

test.each(quickCases(LISTS, ['home']))(
  'the list of %s goes on as one scrolls, and Back finds the place',
  async (_, path) => {
    await page.goto(path())
    await cards().first().waitFor()
    expect(await cards().count()).toBe(PAGE)
    await loadAll()
    await cards().nth(AWAY).scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    expect(place).toBeGreaterThan(1000)
    const link = cards()
      .nth(AWAY)
      .getByRole('link', { name: /^Match/ })
    await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('video.get')),
      link.hover(),
    ])
    await link.click()
    await page.waitForURL(/\/video\//)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
    expect(await cards().count()).toBe(VIDEOS)
  },
)

test.each(quickCases(LISTS, []))(
  'a video opened deep in the list of %s and loaded again leads Back to the place',
  async (_, path) => {
    await page.goto(path())
    await cards().first().waitFor()
    await loadAll()
    await cards().nth(AWAY).scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    await cards()
      .nth(AWAY)
      .getByRole('link', { name: /^Match/ })
      .click()
    await page.waitForURL(/\/video\//)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await cards().first().waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
    expect(await cards().count()).toBe(VIDEOS)
  },
)

longTest('a page that is added is drawn a few cards at a time', async () => {
  await page.goto(HOME)
  await cards().first().waitFor()
  await page.evaluate(() => {
    const added: number[] = []
    Object.assign(globalThis, { added })
    const cards = document.getElementsByTagName('article')
    let before = cards.length
    new MutationObserver(() => {
      if (cards.length > before) added.push(cards.length - before)
      before = cards.length
    }).observe(document.body, { childList: true, subtree: true })
  })
  await loadAll()
  const added = await page.evaluate(() => (globalThis as unknown as { added: number[] }).added)
  expect(added.reduce((sum, count) => sum + count)).toBe(VIDEOS - PAGE)
  expect(Math.max(...added)).toBeLessThanOrEqual(FEW)
})

longTest('a television has more columns, not larger cards, and a small phone has one', async () => {
  const columns = () =>
    cards().evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().left)).size)
  await page.setViewportSize({ width: 2560, height: 1440 })
  await page.goto(HOME)
  await cards().first().waitFor()
  expect(await columns()).toBeGreaterThanOrEqual(7)
  const box = await cards().first().boundingBox()
  expect(box?.width).toBeLessThan(400)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await columns()).toBe(1)
})

test.each(quickCases(LISTS, []))(
  'in the list of %s what is not drawn is as high as what is',
  async (_, path) => {
    await page.goto(path())
    await cards().first().waitFor()
    await loadAll()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const [hidden, visible, plain] = await Promise.all(
        ['hidden', 'visible', 'plain'].map(placesWith),
      )
      expect(hidden, `${width} px`).toEqual(visible)
      // The browser rounds each row to its 64ths.
      const apart = Math.abs((visible?.ends ?? 0) - (plain?.ends ?? 0))
      expect(apart, `${width} px`).toBeLessThanOrEqual(1)
      expect(visible?.blocks).toBe(1)
    }
  },
)

/** Heights of the cards, and where the list's parts end, with all of them drawn or none; `plain` leaves out the blocks. */
function placesWith(drawing: string) {
  return cards().evaluateAll((all, drawing) => {
    const blocks = [...document.querySelectorAll<HTMLElement>('[data-whole]')]
    const parts = [...blocks, ...(all as HTMLElement[])]
    if (drawing === 'plain') for (const block of blocks) block.style.display = 'contents'
    else for (const { style } of parts) style.contentVisibility = drawing
    const heights = all.map((one) => one.getBoundingClientRect().height)
    const ends = Math.round(document.documentElement.scrollHeight)
    for (const { style } of parts) {
      style.contentVisibility = ''
      style.display = ''
    }
    return { heights, ends, blocks: blocks.length }
  }, drawing)
}

type Place = { title: string; top: number }

/** Its title, and how far below the upper edge of the window it is. */
async function placeOf(title: string): Promise<Place> {
  const card = cards().filter({ has: page.getByRole('link', { name: title, exact: true }) })
  const top = await card.last().evaluate((one) => Math.round(one.getBoundingClientRect().top))
  return { title, top }
}

/** Waits until a card is where it was, but for the pixel that rounding makes. */
async function expectAt({ title, top }: Place): Promise<void> {
  const distance = async () => Math.abs((await placeOf(title)).top - top)
  await expect.poll(distance).toBeLessThanOrEqual(1)
}

/** Scrolls to a card of the list and answers its place there and the title of the next one. */
async function scrollToCard(index: number) {
  await expect
    .poll(async () => {
      await cards().last().scrollIntoViewIfNeeded()
      return cards().count()
    })
    .toBeGreaterThan(index + 2)
  // Again until what comes above it is there and it stays.
  const topBefore = () =>
    cards()
      .nth(index)
      .evaluate((one, wanted) => {
        const { top } = one.getBoundingClientRect()
        scrollBy({ top: top - wanted, behavior: 'instant' })
        return Math.round(top)
      }, TOP)
  await expect.poll(topBefore, { interval: 300 }).toBe(TOP)
  const [title = '', next = ''] = await cards().evaluateAll(
    (all, at) => all.slice(at, at + 2).map((one) => one.querySelector('h2 a')?.textContent ?? ''),
    index,
  )
  return { card: await placeOf(title), next }
}

async function openVideo(title: string): Promise<void> {
  await cards().getByRole('link', { name: title, exact: true }).last().click()
  await page.waitForURL(/\/video\//)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Opens a card's video and loads its page again. */
async function openAndReload(title: string): Promise<void> {
  await openVideo(title)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Opens a card's video and goes on to a page of another site. */
async function openAndGoElsewhere(title: string): Promise<void> {
  await openVideo(title)
  await page.goto(`${server.origin.replace('127.0.0.1', 'localhost')}/api/health`)
  await page.goBack()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Name of the card, what happens, index of the card, page, action. */
const RETURNS: [string, string, number, string, (title: string) => Promise<void>][] = [
  ['card 30 of a list', 'its video was loaded again', 30, HOME, openAndReload],
  ['card 30 of the home page', 'its video was loaded again', 30, '/', openAndReload],
  ['card 130 of the home page', 'its video was loaded again', AWAY, '/', openAndReload],
  ['card 130 of the home page', 'another site was visited', AWAY, '/', openAndGoElsewhere],
]

describe('Back shows the card where it was', () => {
  test.each(quickCases(RETURNS, ['card 30 of a list']))(
    '%s, after %s',
    async (_, __, index, path, open) => {
      await page.goto(path)
      const { card } = await scrollToCard(index)
      expect(card.top).toBe(TOP)
      await open(card.title)
      await page.goBack()
      await expectAt(card)
    },
  )

  longTest('though others have come and gone above it', async () => {
    await page.goto('/')
    const { card } = await scrollToCard(AWAY)
    await openAndReload(card.title)
    await writeRows(server, async (db) => {
      const [first] = await db.selectFrom('videos').select('userId').limit(1).execute()
      const titles = Array.from({ length: 7 }, (_, number) => `New ${number}`)
      await addVideos(
        db,
        titles.map((title) => ({ userId: first?.userId ?? 0, title })),
      )
    })
    await page.goBack()
    await expectAt(card)
    await openAndReload(card.title)
    await writeRows(server, (db) =>
      db.deleteFrom('videos').where('title', 'like', 'New %').execute(),
    )
    await page.goBack()
    await expectAt(card)
  })

  longTest('or the next one, where it is gone', async () => {
    await page.goto('/')
    const { card, next } = await scrollToCard(AWAY)
    await openAndReload(card.title)
    await writeRows(server, (db) =>
      db.deleteFrom('videos').where('title', '=', card.title).execute(),
    )
    await page.goBack()
    await expectAt({ title: next, top: card.top })
  })
})

longTest(
  'a list that is loaded again, or whose window becomes narrow, keeps its card',
  async () => {
    await page.goto(HOME)
    // The first of its row, with any number of columns.
    const { card } = await scrollToCard(120)
    await page.reload()
    await expectAt(card)
    const { height } = DESKTOP
    for (const width of [TABLET.width, PHONE.width, DESKTOP.width]) {
      await page.setViewportSize({ width, height })
      await expectAt(card)
    }
  },
)

longTest('the places of a member are forgotten when they log out', async () => {
  const kept = () =>
    page.evaluate(() => Object.keys(JSON.parse(sessionStorage.getItem('clutch-places') ?? '{}')))
  await page.goto('/')
  const before = await kept()
  expect(before.length).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Sign In' }).first().waitFor()
  expect((await kept()).filter((key) => before.includes(key))).toEqual([])
})
