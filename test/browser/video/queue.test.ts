import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openPage, type SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside, showScheme } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRow, changeRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { writeRows } from '#test/support/site-rows.ts'

const TITLES = ['Round 1', 'Round 2', 'Round 3', 'Round 4']

const server = setUpHostedSite({ env: { RENDITIONS: '180' } })
let state: SavedState
const videoIds: number[] = []
let ownerId: number
let playlistId: number

beforeAll(async () => {
  const { page } = await server.open()
  ownerId = await register(page, 'dora')
  // Long enough that none ends before the test has it end.
  const path = await makeClip({
    path: join(server.dataFolder, 'clip.mp4'),
    seconds: 30,
    frameRate: 5,
  })
  for (const title of TITLES) videoIds.push(await uploadClip(page, path, { title }))
  state = await page.context().storageState()
  await page.context().close()
})

beforeEach(async () => {
  playlistId = await writeRows(server, async (db) => {
    const createdAt = timestamp()
    const list = {
      userId: ownerId,
      kind: 'list' as const,
      title: 'Best of',
      visibility: 'public' as const,
    }
    const id = await addRow(db, 'playlists', { ...list, createdAt, updatedAt: createdAt })
    const items = videoIds.map((videoId, index) => ({
      ...{ playlistId: id, videoId, position: index + 1, addedAt: createdAt },
    }))
    await db.insertInto('playlistItems').values(items).execute()
    return id
  })
})

async function open(path: string, { isVisitor = false, isPhone = false } = {}) {
  const opened = { origin: server.origin, isPhone, state: isVisitor ? undefined : state }
  const { page } = await openPage(server.browser, opened)
  await page.addInitScript(() => {
    const memory = { isMuted: true, bandwidth: 90_000_000, continues: false, startsItself: false }
    if (!localStorage.getItem('clutch-player')) {
      localStorage.setItem('clutch-player', JSON.stringify(memory))
    }
  })
  await page.goto(path)
  const panel = page.getByRole('region', { name: /^(Best of|Queue|Watch|Liked|The dora|Results)/ })
  return { page, panel }
}

const inList = (index: number, list: string | number = playlistId) =>
  `/video/${videoIds[index]}?list=${encodeURIComponent(list)}`
const shows = (page: Page, title: string) =>
  page.getByRole('heading', { name: title, level: 1 }).waitFor()
const namesIn = (page: Page) =>
  page.locator('section[aria-labelledby="queue-title"] li a').allInnerTexts()
/** Has the video come to its end. */
async function finish(page: Page, title: string): Promise<void> {
  const video = page.locator(`video[aria-label="${title}"]`)
  await video.evaluate(async (element: HTMLVideoElement) => {
    if (element.readyState < 1)
      await new Promise((ready) => element.addEventListener('loadedmetadata', ready))
    element.currentTime = element.duration - 0.3
    await element.play()
  })
}

test('a list plays in its order by itself, and by keys, buttons and media keys', async () => {
  const { page, panel } = await open(`/playlist/${playlistId}`)
  await page.getByRole('link', { name: 'Play all' }).click()
  await shows(page, 'Round 1')
  await panel.getByText('1 of 4', { exact: true }).waitFor()
  expect(await namesIn(page)).toEqual(TITLES)
  await finish(page, 'Round 1')
  await shows(page, 'Round 2')
  await page.keyboard.press('Shift+N')
  await shows(page, 'Round 3')
  await page.keyboard.press('Shift+P')
  await shows(page, 'Round 2')
  const player = page.getByRole('group', { name: 'Video player' })
  await player.hover()
  await player.getByRole('button', { name: 'Next: Round 3' }).click()
  await shows(page, 'Round 3')
  await player.getByRole('button', { name: 'Previous: Round 2' }).click()
  await shows(page, 'Round 2')
  await panel.getByRole('link', { name: 'Round 4' }).click()
  await shows(page, 'Round 4')
  await panel.getByText('4 of 4', { exact: true }).waitFor()
  for (const scheme of isLongForm ? ['dark', 'light'] : ['light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
  }
  // The place is remembered, and the list begins again from there.
  await panel.getByRole('link', { name: 'Best of' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await shows(page, 'Round 4')
})

longTest('it loops, repeats one and shuffles', async () => {
  const { page, panel } = await open(inList(3))
  await shows(page, 'Round 4')
  await panel.getByRole('button', { name: 'Loop: off' }).click()
  await finish(page, 'Round 4')
  await shows(page, 'Round 1')
  await panel.getByRole('button', { name: 'Loop: the whole list' }).click()
  await finish(page, 'Round 1')
  const video = page.locator('video[aria-label="Round 1"]')
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => !one.paused && one.currentTime < 20))
    .toBe(true)
  await panel.getByRole('button', { name: 'Shuffle' }).click()
  const shuffled = await namesIn(page)
  expect(shuffled[0]).toBe('Round 1')
  expect(shuffled.toSorted()).toEqual(TITLES)
  expect(await panel.getByRole('button', { name: /^Move/ }).count()).toBe(0)
  await page.reload()
  await panel.getByRole('link').nth(1).waitFor()
  expect(await namesIn(page)).toEqual(shuffled)
})

longTest('its owner moves entries by keyboard and takes them out; others cannot', async () => {
  const { page, panel } = await open(inList(0))
  const handle = panel.getByRole('button', { name: 'Move Round 1', exact: true })
  await handle.focus()
  const moved = page.waitForResponse(/playlist\.moveVideo/)
  for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key)
  await moved
  await panel.getByText('3 of 4', { exact: true }).waitFor()
  const removed = page.waitForResponse(/playlist\.removeVideo/)
  await panel.getByRole('button', { name: 'Remove Round 3 from the list' }).click()
  await removed
  await page.reload()
  await panel.getByText('2 of 3', { exact: true }).waitFor()
  expect(await namesIn(page)).toEqual(['Round 2', 'Round 1', 'Round 4'])
  await page.context().close()

  const visitor = await open(inList(0), { isVisitor: true })
  await visitor.panel.getByText('2 of 3', { exact: true }).waitFor()
  expect(await visitor.panel.getByRole('button', { name: /^(Move|Remove)/ }).count()).toBe(0)
})

longTest('a list that cannot be read says so, and is read again', async () => {
  const { page, panel } = await open('/', { isVisitor: true })
  let isCut = true
  await page.route(/playlist\.get/, (route) => (isCut ? route.abort() : route.continue()))
  await page.goto(inList(0))
  const failed = page.getByRole('region', { name: 'Playlist' })
  await failed.getByText(/^The server could not be reached/).waitFor()
  isCut = false
  await failed.getByRole('button', { name: 'Try again' }).click()
  await panel.getByText('1 of 4', { exact: true }).waitFor()
})

longTest('what has gone meanwhile is skipped with a sentence', async () => {
  const { page, panel } = await open(inList(0), { isVisitor: true })
  await panel.getByText('1 of 4', { exact: true }).waitFor()
  const setHidden = (contentApproved: 0 | 1) =>
    writeRows(server, (db) =>
      changeRows(db, 'videos', {
        where: { id: videoIds[1] as number },
        values: { contentApproved },
      }),
    )
  await setHidden(0)
  await page.keyboard.press('Shift+N')
  await page.getByText('Skipped "Round 2"').waitFor()
  await shows(page, 'Round 3')
  await page.goto(inList(1))
  await page.getByText('A video of this list was skipped').waitFor()
  await setHidden(1)
})

longTest('a private list is not there for visitors, who see the video without it', async () => {
  await writeRows(server, (db) =>
    changeRows(db, 'playlists', { where: { id: playlistId }, values: { visibility: 'private' } }),
  )
  for (const list of [playlistId, 'watch-later', 'liked', 'history']) {
    const { page } = await open(inList(0, list), { isVisitor: true })
    await shows(page, 'Round 1')
    await page.getByText('This list is not available.').waitFor()
    expect(await namesIn(page)).toEqual([])
    await page.context().close()
  }
})

longTest('a channel, search results, liked videos, the history and Watch later play', async () => {
  const { page, panel } = await open(`/profile/${ownerId}`)
  await page.getByRole('link', { name: 'Play all' }).click()
  await panel.getByText('1 of 4', { exact: true }).waitFor()
  await panel.getByRole('link', { name: 'The dora' }).waitFor()
  await page.goto('/search?q=Round')
  await page.getByRole('link', { name: 'Play all' }).click()
  await panel.getByText('1 of 4', { exact: true }).waitFor()
  await panel.getByRole('link', { name: 'Results for "Round"' }).waitFor()

  await page.getByRole('button', { name: 'Save' }).click()
  const saved = page.waitForResponse(/playlist\.addToWatchLater/)
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Watch later/ })
    .click()
  await saved
  await page.request.post('/trpc/like.set', { data: { videoId: videoIds[1], isLike: true } })
  await page.goto('/playlist/watch-later')
  await page.getByRole('link', { name: 'Play all' }).click()
  await panel.getByRole('link', { name: 'Watch later' }).waitFor()
  await page.goto('/playlist/liked')
  await page.getByRole('link', { name: 'Play all' }).click()
  await panel.getByRole('link', { name: 'Liked videos' }).waitFor()
  await page.goto('/history')
  await page.getByRole('link', { name: 'Play all' }).click()
  await panel.getByRole('link', { name: 'Watch History' }).waitFor()
})

longTest('the history plays in the order that it had as it began', async () => {
  await writeRows(server, async (db) => {
    await db.deleteFrom('history').execute()
    const rows = videoIds.map((videoId, index) => ({
      ...{ userId: ownerId, videoId, positionSeconds: 1 },
      watchedAt: `2026-01-01T00:0${index}:00.000Z`,
    }))
    await db.insertInto('history').values(rows).execute()
  })
  const { page } = await open('/history')
  await page.getByRole('link', { name: 'Play all' }).click()
  await shows(page, 'Round 4')
  const list = page.getByRole('region', { name: 'Watch History' })
  await list.getByText('1 of 4', { exact: true }).waitFor()
  for (const title of ['Round 3', 'Round 2']) {
    const reported = page.waitForRequest(/history\.report/)
    await page.keyboard.press('Shift+N')
    await shows(page, title)
    await page
      .locator(`video[aria-label="${title}"]`)
      .evaluate((one: HTMLVideoElement) => one.play())
    await reported
  }
  await page.reload()
  await list.getByText('3 of 4', { exact: true }).waitFor()
  expect(await namesIn(page)).toEqual(TITLES.toReversed())
})

test('a visitor queues by hand, and the queue plays on in the mini player', async () => {
  const { page, panel } = await open('/', { isVisitor: true })
  const add = async (title: string, how: string) => {
    await page
      .getByRole('button', { name: `Actions for ${title}` })
      .first()
      .click()
    await page.getByRole('menuitem', { name: how }).click()
    await page.getByRole('menuitem', { name: how }).waitFor({ state: 'detached' })
  }
  await add('Round 2', 'Add to queue')
  await add('Round 4', 'Play next')
  await page.getByRole('link', { name: 'Round 1' }).first().click()
  await shows(page, 'Round 1')
  await panel.getByRole('link', { name: 'Round 4' }).waitFor()
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  await recommended.getByRole('button', { name: 'Actions for Round 3' }).click()
  await page.getByRole('menuitem', { name: 'Add to queue' }).click()
  await expect.poll(() => namesIn(page)).toEqual(['Round 4', 'Round 2', 'Round 3'])
  await page.reload()
  await panel.getByRole('button', { name: 'Remove Round 2 from the list' }).click()
  await page.keyboard.press('Shift+N')
  await shows(page, 'Round 4')
  await page.locator('video[aria-label="Round 4"]').evaluate((one: HTMLVideoElement) => one.play())
  await page.getByRole('link', { name: 'Clutch, home' }).click()
  const mini = page.getByRole('region', { name: 'Mini player' })
  await finish(page, 'Round 4')
  await mini.getByText('Round 3').waitFor()
  await mini.getByRole('link', { name: 'Back to Round 3' }).click()
  await panel.getByText('2 of 2', { exact: true }).waitFor()
})

longTest('on a phone the list is folded below the video', async () => {
  const { page, panel } = await open(inList(0), { isPhone: true })
  await panel.getByText('1 of 4 · Next: Round 2').waitFor()
  await panel.getByRole('button', { name: 'Show the list' }).click()
  await panel.getByRole('link', { name: 'Round 3' }).waitFor()
  expect(await auditPage(page)).toEqual([])
  expect(await findOutside(page)).toEqual([])
})
