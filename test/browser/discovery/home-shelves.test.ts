import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const WIDE = { width: 1920, height: 1000 }

const server = setUpHostedSite()
let ids: number[]
let cara: number

beforeAll(async () => {
  ids = await writeRows(server, async (db) => {
    const ann = await addMember(db, 'Ann of Rust')
    cara = await addMember(db, 'Cara')
    const match = (index: number) => ({ userId: ann, title: `Match ${index}`, duration: 100 })
    const videos = Array.from({ length: 30 }, (_, index) => match(index))
    return addVideos(db, [...videos, { userId: cara, title: 'By Cara', category: 'Rust' }])
  })
})

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
async function titles(page: Page, name: string): Promise<string[]> {
  const headings = region(page, name).getByRole('article').getByRole('heading')
  await headings.first().waitFor()
  return headings.allTextContents()
}
const yOf = async (page: Page, name: string) =>
  (await region(page, name).boundingBox())?.y ?? Number.NaN

test('visitors see the newest, then what is loved this week and the games, then the rest', async () => {
  await writeRows(server, (db) =>
    addRows(
      db,
      'likes',
      ids.slice(20, 23).map((videoId) => ({
        ...{ userId: cara, videoId, isLike: 1 as const, createdAt: timestamp() },
      })),
    ),
  )
  const { page, problems } = await server.open()
  await page.goto('/')
  await region(page, 'Loved this week').waitFor()
  // The most loved video is at the top of the page instead of on the shelf.
  expect(await titles(page, 'Loved this week')).toEqual(['Match 21', 'Match 20'])
  await region(page, 'Games').getByRole('link', { name: 'Rust 1 video' }).waitFor()
  const first = await page.getByRole('link', { name: 'Match 0', exact: true }).boundingBox()
  const other = page.getByRole('article').filter({ hasText: 'Match 0' }).first()
  await other.getByText('Other', { exact: true }).waitFor()
  const last = page.getByRole('link', { name: 'Match 29', exact: true })
  await last.scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollTo(0, 0))
  const [loved, games] = [await yOf(page, 'Loved this week'), await yOf(page, 'Games')]
  expect(first?.y).toBeLessThan(loved)
  expect(loved).toBeLessThan(games)
  expect(games).toBeLessThan((await last.boundingBox())?.y ?? 0)
  // A picture is as wide on a shelf as in the grid around it.
  for (const width of [390, 768, 1000, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const widths = () =>
      page
        .getByRole('main')
        .getByRole('article')
        .evaluateAll((cards) => [
          ...new Set(
            cards
              .filter((card) => !card.closest('section[data-game]'))
              .map(({ firstElementChild }) =>
                Math.round(firstElementChild?.getBoundingClientRect().width ?? 0),
              ),
          ),
        ])
    await expect.poll(widths, { message: `${width}` }).toHaveLength(1)
  }
  await page.goto('/?category=Rust')
  await page.getByRole('link', { name: 'By Cara' }).first().waitFor()
  expect(await region(page, 'Games').count()).toBe(0)
  expect(problems).toEqual([])
})

longTest(
  'two cards take the whole row of a shelf, with their words beside the picture',
  async () => {
    const { page } = await server.open({ viewport: WIDE })
    await page.goto('/')
    const shelf = region(page, 'Loved this week')
    await shelf.waitFor()
    const cards = shelf.getByRole('article')
    expect(await cards.count()).toBe(2)
    const row = await shelf.boundingBox()
    const last = await cards.last().boundingBox()
    const end = (row?.x ?? 0) + (row?.width ?? 0)
    expect(Math.abs((last?.x ?? 0) + (last?.width ?? 0) - end)).toBeLessThan(2)
    const picture = await cards.last().locator('> :first-child').boundingBox()
    const heading = await cards.last().getByRole('heading').boundingBox()
    expect(heading?.x).toBeGreaterThan((picture?.x ?? 0) + (picture?.width ?? 0))
    expect(heading?.y).toBeLessThan((picture?.y ?? 0) + (picture?.height ?? 0))
    expect(await auditPage(page)).toEqual([])
  },
)

test('members begin with what they left and those they follow; a shelf can be hidden and shown again', async () => {
  const { page, problems } = await server.open({ viewport: PHONE })
  const bob = await register(page, 'bob')
  await writeRows(server, async (db) => {
    await addRows(db, 'history', {
      userId: bob,
      videoId: ids[3] ?? 0,
      positionSeconds: 40,
      watchedAt: timestamp(),
    })
    await db
      .updateTable('videos')
      .set({ category: 'Rainbow Six', viewCount: 123_456 })
      .where('id', '=', ids[3] ?? 0)
      .execute()
    await addRows(db, 'subscriptions', {
      subscriberId: bob,
      channelId: cara,
      subscribedAt: timestamp(),
    })
  })
  await page.goto('/')
  await region(page, 'From people you follow').waitFor()
  expect(await titles(page, 'Continue watching')).toEqual(['Match 3'])
  expect(await titles(page, 'From people you follow')).toEqual(['By Cara'])
  // Each card once: the rest is what the shelves do not have.
  expect(await page.getByRole('link', { name: 'Match 3', exact: true }).count()).toBe(1)
  expect(await auditPage(page)).toEqual([])
  // The line of one video names its game in full, and its channel.
  const line = region(page, 'Continue watching').getByRole('article')
  for (const width of [768, 1000, 390]) {
    await page.setViewportSize({ width, height: PHONE.height })
    const game = line.getByText('Rainbow Six', { exact: true })
    expect(await game.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    const names = await line.locator('p > span').first().boundingBox()
    expect(names?.width, `${width}`).toBeGreaterThan(20)
  }
  const hide = page.getByRole('button', { name: "Hide 'Continue watching'" })
  await hide.press('Enter')
  await region(page, 'Continue watching').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await hide.click()
  await page.goto('/settings#home')
  const shelf = page.getByRole('switch', { name: 'Continue watching' })
  expect(await shelf.isChecked()).toBe(false)
  await shelf.click()
  await page.goto('/')
  await region(page, 'Continue watching').waitFor()
  expect(problems).toEqual([])
})

test('an admin pins a video from its card and writes a notice, which a visitor can close', async () => {
  const { page, problems } = await server.open()
  await register(page, 'admin', await server.setupCode())
  await page.goto('/?category=Rust')
  const card = page.getByRole('article').filter({ hasText: 'By Cara' })
  await card.getByRole('button', { name: /By Cara/ }).click()
  await page.getByRole('menuitem', { name: 'Pin to the home page' }).click()
  await page.getByText('Pinned to the home page').waitFor()
  await page.goto('/admin/settings')
  await page.getByRole('link', { name: 'By Cara' }).waitFor()
  await page.getByLabel('Notice').fill('Cup on Friday: https://example.org/cup')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved').waitFor()
  const { page: other, problems: others } = await server.open()
  await other.goto('/')
  expect(await titles(other, 'Pinned')).toEqual(['By Cara'])
  const notice = other.getByRole('complementary', { name: 'Notice' })
  await notice.getByRole('link', { name: 'https://example.org/cup' }).waitFor()
  expect(await auditPage(other)).toEqual([])
  await notice.getByRole('button', { name: 'Close the notice' }).click()
  await notice.waitFor({ state: 'detached' })
  await other.reload()
  await region(other, 'Pinned').waitFor()
  expect(await notice.count()).toBe(0)
  await page.getByRole('button', { name: 'Unpin' }).click()
  await page.getByText('No video is pinned. Pin one from the menu on its card.').waitFor()
  expect([...problems, ...others]).toEqual([])
})

test('a game that many watch has a shelf, with cards as wide as those of the grid', async () => {
  // In the place of the other one.
  Object.assign(server, await openHostedSite())
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Ann of Rust')
    const added = await addVideos(
      db,
      Array.from({ length: 19 }, (_, index) => ({
        ...{ userId, title: `Match ${index}`, duration: 100 },
        category: index < 5 ? 'Rust' : 'GTA',
      })),
    )
    const day = timestamp().slice(0, 10)
    const views = added.slice(0, 5).map((videoId) => ({ videoId, day, count: 9 }))
    await addRows(db, 'dailyViews', views)
  })
  for (const viewport of [WIDE, DESKTOP, PHONE]) {
    const { page, problems } = await server.open({ viewport })
    await page.goto('/')
    const shelf = region(page, 'Rust')
    await shelf.getByRole('article').first().waitFor()
    expect(await shelf.getByRole('article').count()).toBe(5)
    const widthOf = async (frame: Locator) => (await frame.boundingBox())?.width ?? Number.NaN
    const inGrid = page.getByRole('article').filter({ hasText: 'Match 9' }).first()
    expect(await widthOf(shelf.getByRole('article').first())).toBeCloseTo(await widthOf(inGrid), 0)
    expect(await auditPage(page)).toEqual([])
    await shelf.getByRole('link', { name: 'All of Rust' }).click()
    await page.waitForURL(/category=Rust/)
    await region(page, 'About Rust').waitFor()
    expect(problems).toEqual([])
  }
})

test('a phone loads three pictures of a shelf, and others as the shelf is moved', async () => {
  await writeRows(server, async (db) => {
    const like = { isLike: 1 as const, createdAt: timestamp(), userId: await addMember(db, 'Dora') }
    // Not those of the first cards, which load the same pictures.
    const oldest = db.selectFrom('videos').select('id').orderBy('publishedAt').limit(10)
    const videos = await oldest.execute()
    await addRows(
      db,
      'likes',
      videos.map(({ id }) => ({ ...like, videoId: id })),
    )
    for (const { id } of videos) {
      const card = { cardUrl: `/media/${id}/poster-card.webp`, preview: 'UklGRg==' }
      await db.updateTable('videos').set(card).where('id', '=', id).execute()
    }
  })
  const { page } = await server.open({ isPhone: true, isNew: true })
  await page.goto('/')
  const shelf = region(page, 'Loved this week').getByRole('list')
  await shelf.waitFor()
  await page.waitForLoadState('networkidle')
  const loaded = () =>
    shelf
      .locator('img')
      .evaluateAll((images) => images.filter((one) => (one as HTMLImageElement).currentSrc).length)
  expect(await shelf.locator('img').count()).toBeGreaterThan(6)
  expect(await loaded()).toBe(3)
  await shelf.scrollIntoViewIfNeeded()
  await shelf.evaluate((list) => list.scrollBy({ left: list.clientWidth * 2 }))
  await expect.poll(loaded).toBeGreaterThan(3)
})

longTest(
  'a site of few videos shows after them the better half of what is loved, and the games',
  async () => {
    // In the place of the other one.
    Object.assign(server, await openHostedSite())
    const [fan, ids] = await writeRows(server, async (db) => {
      const ann = await addMember(db, 'Ann of Rust')
      const match = (index: number) => ({ userId: ann, title: `Match ${index}`, duration: 100 })
      const rust = { userId: ann, title: 'A raid', category: 'Rust' }
      const videos = [...Array.from({ length: 4 }, (_, index) => match(index)), rust]
      return [await addMember(db, 'Fan'), await addVideos(db, videos)] as const
    })
    const like = (...videoIds: number[]) =>
      writeRows(server, (db) =>
        addRows(
          db,
          'likes',
          videoIds.map((videoId) => ({
            userId: fan,
            videoId,
            isLike: 1,
            createdAt: timestamp(),
          })),
        ),
      )
    await like(...ids.slice(0, 3))
    const { page, problems } = await server.open()
    await page.goto('/')
    await region(page, 'Games').getByRole('link', { name: 'Rust 1 video' }).waitFor()
    // Three are no choice of five.
    expect(await region(page, 'Loved this week').count()).toBe(0)
    await like(ids[4] ?? 0)
    await expect
      .poll(async () => {
        await page.reload()
        await region(page, 'Games').waitFor()
        return region(page, 'Loved this week').count()
      })
      .toBe(1)
    // The most loved video is at the top of the page, so two remain on the shelf.
    expect(await titles(page, 'Loved this week')).toHaveLength(2)
    const last = await page
      .getByRole('link', { name: 'Match 3', exact: true })
      .first()
      .boundingBox()
    expect(last?.y).toBeLessThan(await yOf(page, 'Loved this week'))
    expect(problems).toEqual([])
  },
)
