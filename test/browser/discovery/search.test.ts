import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { auditPage, findOutside } from '#test/support/page-check.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

beforeAll(async () => {
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Ann of Rust')
    const rounds = Array.from({ length: 60 }, (_, index) => ({ userId, title: `Round ${index}` }))
    await addVideos(db, rounds)
    await addVideos(db, [
      { userId, title: 'Clutch on Mirage', category: 'CS2', viewCount: 5 },
      { userId, title: 'Clutch at the tower', category: 'Rust', viewCount: 9000 },
      { userId, title: 'Labs run', category: 'Tarkov', description: 'A clutch at the end' },
    ])
  })
})

longTest(
  'the results say what was searched for and how much was found, and which channels',
  async () => {
    const { page, problems } = await server.open()
    await page.goto('/')
    await page.getByRole('combobox').fill('clutch')
    await page.getByRole('combobox').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Search results for "clutch"' }).waitFor()
    await page.getByText('3 results found').waitFor()
    expect(await page.getByRole('article').count()).toBe(3)
    expect(await page.title()).toBe('clutch · Clutch')
    await page.goto('/search?q=mirage')
    await page.getByText('1 result found').waitFor()
    await page.goto('/search?q=rust')
    const channels = page.getByRole('region', { name: 'Channels' })
    await channels.getByText('@annofrust · 0 subscribers').waitFor()
    await channels.getByRole('link', { name: 'Ann of Rust' }).click()
    await page.waitForURL(/\/profile\/\d+$/)
    expect(problems).toEqual([])
  },
)

test('a game filters the results, and the address holds it', async () => {
  const { page } = await server.open()
  await page.goto('/search?q=clutch')
  const categories = page.getByRole('navigation', { name: 'Categories' })
  await categories.getByRole('link', { name: 'CS2' }).click()
  await page.waitForURL('/search?q=clutch&category=CS2')
  await page.getByRole('heading', { name: 'Search results for "clutch" in CS2' }).waitFor()
  await page.getByText('1 result found').waitFor()
  await categories.getByRole('link', { name: 'GTA' }).click()
  await page.getByText('No videos found').waitFor()
  await page.getByRole('link', { name: 'Search all games' }).click()
  await page.waitForURL('/search?q=clutch')
  await page.getByText('3 results found').waitFor()
})

longTest('the results can be sorted by views, and the address holds it', async () => {
  const { page } = await server.open()
  await page.goto('/search?q=clutch')
  const titles = () => page.getByRole('article').getByRole('heading').allInnerTexts()
  await expect.poll(titles).toHaveLength(3)
  await chooseOption(page, 'Sort by', 'Views')
  await page.waitForURL('/search?q=clutch&sort=views')
  await expect.poll(titles).toEqual(['Clutch at the tower', 'Clutch on Mirage', 'Labs run'])
  await page.reload()
  await expect.poll(titles).toEqual(['Clutch at the tower', 'Clutch on Mirage', 'Labs run'])
})

longTest('the results go on as one scrolls', async () => {
  const { page } = await server.open()
  await page.goto('/search?q=round')
  await page.getByText('60 results found').waitFor()
  const cards = page.getByRole('article')
  expect(await cards.count()).toBe(48)
  await cards.last().scrollIntoViewIfNeeded()
  await expect.poll(() => cards.count()).toBe(60)
})

longTest(
  'on a phone the controls of the results stay within the page, apart from what stands around them',
  async () => {
    const { page, problems } = await server.open({ viewport: PHONE })
    await page.goto('/search?q=clutch')
    const controls = page.getByRole('link', { name: 'Play all' })
    await controls.waitFor()
    // 'Continue' offers a queue that was left.
    await page.evaluate(() => {
      const places = { 'search:q=clutch': { videoId: 999, index: 1 } }
      localStorage.setItem('clutch-queue-places', JSON.stringify(places))
    })
    await page.reload()
    const more = page.getByRole('link', { name: 'Continue' })
    await more.waitFor()
    const count = await page.getByText(/results found$/).boundingBox()
    for (const control of [controls, more, page.getByRole('combobox', { name: 'Sort by' })]) {
      const box = await control.boundingBox()
      if (!box || !count) throw new Error('It is not shown.')
      expect(box.x).toBeGreaterThanOrEqual(16)
      expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width - 16)
      expect(box.y).toBeGreaterThanOrEqual(count.y + count.height + 8)
    }
    expect(await findOutside(page)).toEqual([])
    expect(await auditPage(page)).toEqual([])
    expect(problems).toEqual([])
  },
)

test('nothing found says so, without a filter bar', async () => {
  const { page } = await server.open()
  await page.goto('/search?q=zzzzzzzz')
  await page.getByText('No videos found').waitFor()
  await page.getByText('Try different keywords or remove search filters').waitFor()
  await page.getByText('Search for videos by title, description, or tags').waitFor()
  expect(await page.getByRole('navigation', { name: 'Categories' }).count()).toBe(0)
  expect(await page.getByLabel('Sort by').count()).toBe(0)
})

const BLANK = [['/search'], ['/search?q=%20%20']] as const

test.each(quickCases(BLANK, ['/search?q=%20%20']))(
  '%s asks the server for nothing',
  async (address) => {
    const { page } = await server.open()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('search.videos')) asked.push(request.url())
    })
    await page.goto(address)
    await page.getByText('Search for videos by title, description, or tags').waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
  },
)

longTest(
  'eight cards stand for the results on their way, and a failure can be tried again',
  async () => {
    const { page } = await server.open()
    await page.goto('/')
    const answers = Promise.withResolvers<void>()
    await page.route(/search\.videos/, async (route) => {
      await answers.promise
      await route.abort()
    })
    await page.getByRole('combobox').fill('clutch')
    await page.getByRole('combobox').press('Enter')
    const loading = page.getByRole('status', { name: 'Loading videos' })
    await loading.waitFor()
    expect(await loading.locator('> div > div > [aria-hidden]').count()).toBe(8)
    answers.resolve()
    await page.getByText('Error searching for videos: The server could not be reached.').waitFor()
    await page.unroute(/search\.videos/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('3 results found').waitFor()
  },
)

longTest('there are at most four columns, however wide the window is', async () => {
  const { page } = await server.open({ viewport: { width: 2560, height: 1200 } })
  await page.goto('/search?q=round')
  await page.getByRole('article').first().waitFor()
  const firstRow = await page.getByRole('article').evaluateAll((cards) => {
    const tops = cards.map((card) => card.getBoundingClientRect().top)
    return tops.filter((top) => top === tops[0]).length
  })
  expect(firstRow).toBe(4)
})

/** The search box of a phone comes up with a button. */
async function openBox(page: Page) {
  const box = page.getByRole('combobox', { name: 'Search videos' })
  const button = page.getByRole('banner').getByRole('button', { name: 'Search' }).last()
  if (!(await box.isVisible())) await button.click()
  return box
}

const SIZES = [
  ['a desktop', undefined],
  ['a phone', PHONE],
] as const

describe.each(quickCases(SIZES, ['a phone']))('suggestions on %s', (_, viewport) => {
  test('come while one types, and Enter searches for what is typed', async () => {
    const { page, problems } = await server.open(viewport && { viewport })
    await page.goto('/')
    const box = await openBox(page)
    expect(await box.getAttribute('aria-expanded')).toBe('false')
    await page.waitForLoadState('networkidle')
    const before = await page.getByRole('main').boundingBox()
    await box.pressSequentially('clut')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.waitFor()
    expect(await list.getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^Clutch at the tower\s+Video$/),
      expect.stringMatching(/^Clutch on Mirage\s+Video$/),
    ])
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    expect(await box.getAttribute('aria-controls')).toBe(await list.getAttribute('id'))
    expect(await box.getAttribute('aria-activedescendant')).toBeNull()
    expect(await page.getByRole('main').boundingBox()).toEqual(before)
    expect(await auditPage(page)).toEqual([])
    const bounds = await list.boundingBox()
    const width = page.viewportSize()?.width ?? 0
    expect(bounds && bounds.x >= 0 && bounds.x + bounds.width <= width).toBe(true)
    await box.press('Enter')
    await page.waitForURL('/search?q=clut')
    await page.getByText('3 results found').waitFor()
    await expect.poll(() => list.count()).toBe(0)
    expect(problems).toEqual([])
  })

  longTest('are chosen with a click or a tap', async () => {
    const { page } = await server.open(viewport && { viewport })
    await page.goto('/')
    await (await openBox(page)).pressSequentially('ann of')
    await page.getByRole('option', { name: 'Ann of Rust' }).click()
    await page.waitForURL(/\/profile\/\d+$/)
    await page.goto('/')
    await (await openBox(page)).pressSequentially('minec')
    await page.getByRole('option', { name: 'Minecraft Game' }).click()
    await page.waitForURL('/?category=Minecraft')
  })
})

longTest('the arrow keys go through the suggestions and back to what was typed', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const box = await openBox(page)
  await box.pressSequentially('clutc')
  const options = page.getByRole('option')
  await expect.poll(() => options.count()).toBe(2)
  const chosen = async () => {
    const id = await box.getAttribute('aria-activedescendant')
    const selected = await page.locator('[role=option][aria-selected=true]').all()
    expect(selected).toHaveLength(id ? 1 : 0)
    return id === null ? undefined : page.locator(`[id="${id}"]`).innerText()
  }
  await box.press('ArrowDown')
  expect(await chosen()).toContain('Clutch at the tower')
  await box.press('ArrowDown')
  expect(await chosen()).toContain('Clutch on Mirage')
  await box.press('ArrowDown')
  expect(await chosen()).toBeUndefined()
  await box.press('ArrowUp')
  expect(await chosen()).toContain('Clutch on Mirage')
  expect(await box.inputValue()).toBe('clutc')

  await box.press('Escape')
  await expect.poll(() => options.count()).toBe(0)
  expect([await box.inputValue(), await box.getAttribute('aria-expanded')]).toEqual([
    'clutc',
    'false',
  ])
  await box.press('ArrowDown')
  await expect.poll(() => options.count()).toBe(2)
  await box.press('ArrowDown')
  await box.press('Enter')
  await page.waitForURL(/\/video\/\d+$/)
  await page.getByRole('heading', { level: 1, name: 'Clutch at the tower' }).waitFor()
  expect(await box.inputValue()).toBe('')
})

longTest('suggestions go when the focus goes, and a failure shows none', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const box = await openBox(page)
  await box.pressSequentially('clutch')
  const list = page.getByRole('listbox')
  await list.waitFor()
  await page.getByRole('option').first().hover()
  await page.keyboard.press('Tab')
  await expect.poll(() => list.count()).toBe(0)
  await page.route(/search\.suggest/, (route) => route.abort())
  await box.fill('mirage')
  await page.waitForRequest(/search\.suggest/)
  await box.press('Enter')
  await page.getByText('1 result found').waitFor()
  expect(await list.count()).toBe(0)
})

longTest.each(SIZES)('everybody can use the results on %s', async (_, viewport) => {
  const { page } = await server.open(viewport && { viewport })
  for (const query of ['clutch', 'zzzzzzzz']) {
    await page.goto(`/search?q=${query}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await auditPage(page)).toEqual([])
  }
})
