import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRow, addRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const HOUR_MS = 3_600_000
const WIDE = { width: 1920, height: 1000 }
/** The number of seeded videos, which have files; a site with so few counts as quiet. */
const SEEDED = 6

const folder = setUpFolder('tonight')
const dataFolder = join(folder, 'data')

beforeAll(async () => {
  const clip = await makeClip({ path: join(folder, 'match.mp4'), seconds: 4 })
  const counts = ['--users', '3', '--videos', String(SEEDED), '--comments', '0']
  await runCommand('seed', { dataFolder, args: [...counts, '--media', clip] })
  await writeRows({ dataFolder }, async (db) => {
    await db.deleteFrom('likes').execute()
    await db.deleteFrom('dailyViews').execute()
    await db.deleteFrom('clips').execute()
    await db.updateTable('videos').set({ visibility: 'public', category: 'Rust' }).execute()
    await db.updateTable('siteSettings').set({ welcome: 'Clips of our Friday nights.' }).execute()
  })
})
const server = setUpHostedSite({ dataFolder })

const tonight = (page: Page) => page.getByRole('region', { name: 'Tonight' })
const playing = (page: Page) =>
  tonight(page)
    .locator('video')
    .evaluate((video) => !(video as HTMLVideoElement).paused)

/** Returns the layout shift that no user input caused, as browsers measure it. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
        let sum = 0
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries() as Shift[]) {
            if (!shift.hadRecentInput) sum += shift.value
          }
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
      }),
  )

test('visitors read the sentence about the site, and a quiet site begins with its newest video', async () => {
  for (const viewport of [DESKTOP, PHONE, WIDE]) {
    const { page, problems } = await server.open({ viewport })
    await page.goto('/')
    await page.getByText('Clips of our Friday nights.').waitFor()
    await tonight(page).getByText('Newest').waitFor()
    const title = await tonight(page).getByRole('heading', { level: 3 }).innerText()
    expect(await page.getByRole('link', { name: title, exact: true }).count()).toBe(1)
    // The order is the strip of categories, the Refresh button, the video at the top, and the grid.
    const tops = await Promise.all(
      [
        page.getByRole('navigation', { name: 'Categories' }),
        page.getByRole('button', { name: /Refresh/ }),
        tonight(page),
        page.getByRole('article').nth(1),
      ].map(async (part) => (await part.boundingBox())?.y ?? Number.NaN),
    )
    expect(tops[0]).toBeLessThan(tops[2] ?? 0)
    expect(tops[1]).toBeLessThan(tops[2] ?? 0)
    expect(tops[2]).toBeLessThan(tops[3] ?? 0)
    expect(await auditPage(page)).toEqual([])
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.01)
    expect(problems).toEqual([])
  }
})

longTest('on a wide window the picture at the top grows, as far as the height allows', async () => {
  const { page } = await server.open({ viewport: { width: 2560, height: 1440 } })
  const share = async () => {
    const picture = await tonight(page).locator('img').first().boundingBox()
    const card = await tonight(page).boundingBox()
    return (picture?.width ?? 0) / (card?.width ?? 1)
  }
  await page.goto('/')
  await expect.poll(share).toBeGreaterThan(0.55)
  await page.setViewportSize({ width: 2560, height: 800 })
  const height = async () => (await tonight(page).boundingBox())?.height
  await expect.poll(height).toBeLessThan(0.6 * 800)
})

longTest('a site with few videos shows larger cards, and each card names its game', async () => {
  const { page } = await server.open({ viewport: { width: 1920, height: 900 } })
  await page.goto('/')
  const card = page.getByRole('article').nth(1)
  await card.getByText('Rust', { exact: true }).waitFor()
  expect((await card.boundingBox())?.width).toBeGreaterThan(450)
})

test('the video at the top plays muted while it is in sight, and stays paused after a reload', async () => {
  const { page, problems } = await server.open({ viewport: { width: 1440, height: 500 } })
  const files: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.mp4')) files.push(request.url())
  })
  await page.goto('/')
  await tonight(page).waitFor()
  await expect.poll(() => playing(page)).toBe(true)
  expect(files).not.toEqual([])
  expect(
    await tonight(page)
      .locator('video')
      .evaluate((video) => (video as HTMLVideoElement).muted),
  ).toBe(true)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => playing(page)).toBe(false)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect.poll(() => playing(page)).toBe(true)
  await tonight(page).getByRole('button', { name: 'Pause the preview' }).click()
  await expect.poll(() => playing(page)).toBe(false)
  await page.reload()
  await tonight(page).getByRole('button', { name: 'Play the preview' }).waitFor()
  expect(await playing(page)).toBe(false)
  await tonight(page).getByRole('button', { name: 'Play the preview' }).click()
  await expect.poll(() => playing(page)).toBe(true)
  expect(problems).toEqual([])
})

test('a file of more than 3 MB is not played on phones, and one of more than 8 MB nowhere', async () => {
  const resize = (bytes: number) =>
    writeRows({ dataFolder }, (db) => db.updateTable('mediaFiles').set({ bytes }).execute())
  const plays = async (viewport: typeof PHONE, bytes: number) => {
    await resize(bytes)
    const { page } = await server.open({ viewport })
    // Answers for visitors are a second old at most.
    await page.waitForTimeout(1100)
    await page.goto('/')
    await tonight(page).waitFor()
    const asked = page.waitForRequest((request) => request.url().includes('.mp4'), {
      timeout: 5000,
    })
    return asked.then(
      () => true,
      () => false,
    )
  }
  expect(await plays(PHONE, 2_900_000)).toBe(true)
  expect(await plays(PHONE, 3_100_000)).toBe(false)
  expect(await plays(DESKTOP, 3_100_000)).toBe(true)
  expect(await plays(DESKTOP, 8_100_000)).toBe(false)
  await resize(100_000)
})

longTest(
  'the video at the top fills its frame wherever the frame is of another shape',
  async () => {
    for (const width of [390, 768, 1000, 1440]) {
      const { page } = await server.open({ viewport: { width, height: 900 } })
      await page.goto('/')
      await expect.poll(() => playing(page)).toBe(true)
      const fitOf = (one: Element) => getComputedStyle(one).objectFit
      expect(await tonight(page).locator('video').evaluate(fitOf)).toBe('cover')
    }
  },
)

longTest('the preview can be paused where the browser forbids storage', async () => {
  const { page } = await server.open()
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Storage is forbidden.', 'SecurityError')
      },
    })
  })
  await page.goto('/')
  await expect.poll(() => playing(page)).toBe(true)
  await tonight(page).getByRole('button', { name: 'Pause the preview' }).click()
  await expect.poll(() => playing(page)).toBe(false)
})

test.each(isLongForm ? ['Save-Data', 'reduced motion'] : ['Save-Data'])(
  'with %s the top shows only the picture and loads no video',
  async (wish) => {
    for (const viewport of [DESKTOP, PHONE]) {
      const { page } = await server.open({ viewport })
      if (wish === 'reduced motion') await page.emulateMedia({ reducedMotion: 'reduce' })
      else {
        await page.addInitScript(() => {
          Object.defineProperty(navigator, 'connection', {
            value: Object.assign(new EventTarget(), { saveData: true }),
          })
        })
      }
      const files: string[] = []
      page.on('request', (request) => {
        const isCode = wish === 'Save-Data' && request.url().includes('/assets/tonight-video')
        if (isCode || request.url().endsWith('.mp4')) files.push(request.url())
      })
      await page.goto('/')
      await tonight(page).locator('img').first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      expect(await tonight(page).locator('video').count()).toBe(0)
      expect(files).toEqual([])
    }
  },
)

longTest(
  'members see who has posted since their last visit, and a shelf of one video is a line',
  async () => {
    const { page, problems } = await server.open()
    const bob = await register(page, 'bob')
    await writeRows(server, async (db) => {
      const ago = (hours: number) => timestamp(new Date(Date.now() - hours * HOUR_MS))
      await db
        .insertInto('visits')
        .values({ userId: bob, startedAt: ago(9), seenAt: ago(8), previousAt: null })
        .onConflict((conflict) => conflict.column('userId').doUpdateSet({ seenAt: ago(8) }))
        .execute()
      await db
        .updateTable('videos')
        .set({ publishedAt: ago(24) })
        .execute()
      const people = ['Mia', 'Tom', 'Ann', 'Zoe', 'Kim']
      const userIds: number[] = []
      for (const name of people) userIds.push(await addMember(db, name))
      await addVideos(
        db,
        userIds.map((userId, index) => ({ userId, title: `Raid ${index}`, category: 'Rust' })),
      )
      const subscription = { subscriberId: bob, channelId: userIds[4] ?? 0 }
      await addRows(db, 'subscriptions', { ...subscription, subscribedAt: timestamp() })
    })
    for (const viewport of [DESKTOP, PHONE, WIDE]) {
      await page.setViewportSize(viewport)
      await page.goto('/')
      await page.getByText('Mia, Tom and 3 others posted since your last visit').waitFor()
      const fresh = page.getByRole('region', { name: 'Since your last visit' })
      await fresh.getByRole('link', { name: 'Raid 1' }).waitFor()
      expect(await page.getByText('Clips of our Friday nights.').count()).toBe(0)
      expect(await auditPage(page)).toEqual([])
      expect(await shiftOf(page)).toBeLessThanOrEqual(0.01)
    }
    await page.getByRole('button', { name: "Hide 'Since your last visit'" }).click()
    const followed = page.getByRole('region', { name: 'From people you follow' })
    await followed.getByRole('link', { name: 'Raid 4' }).waitFor()
    // A shelf of one video shows a low row instead of a card.
    const row = await followed.getByRole('article').boundingBox()
    expect(row?.height).toBeLessThan(150)
    expect(problems).toEqual([])
  },
)

longTest('the page of a game begins with its clips and players', async () => {
  await writeRows(server, async (db) => {
    const { id, userId } = await db
      .selectFrom('videos')
      .select(['id', 'userId'])
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    for (const title of ['Ace on the roof', 'Last bullet', 'Door camp', 'Fourth']) {
      await addRow(db, 'clips', {
        ...{ videoId: id, userId, title, foldedTitle: title.toLowerCase(), fileState: 'none' },
        ...{ startSeconds: 0, endSeconds: 2, createdAt: timestamp() },
      })
    }
  })
  for (const viewport of [DESKTOP, PHONE]) {
    const { page, problems } = await server.open({ viewport })
    await page.goto('/?category=Rust')
    const head = page.getByRole('region', { name: 'About Rust' })
    await head.getByText('11 videos').waitFor()
    await head.getByText(/^Played by /).waitFor()
    const clips = head.getByRole('list', { name: 'Best clips of Rust' }).getByRole('link')
    expect(await clips.count()).toBe(3)
    expect(await auditPage(page)).toEqual([])
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.01)
    await page.goto('/?category=GTA')
    await page.getByText('No videos found in category GTA').waitFor()
    expect(await page.getByRole('region', { name: 'About GTA' }).count()).toBe(0)
    expect(problems).toEqual([])
  }
})
