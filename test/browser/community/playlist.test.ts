import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { PHONE } from '#test/support/browser.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { addRow, changeRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { register } from '#test/support/site-member.ts'

const ANN = { username: 'ann', password: 'correct horse' }
const BOB = { username: 'bob', password: 'correct horse' }

const server = setUpHostedSite()
let db: Database
let playlistId: number

beforeAll(async () => {
  db = openDatabase(server.dataFolder)
  for (const { username } of [ANN, BOB]) {
    await register(server.origin, username, username.toUpperCase())
  }
  const videos = [1, 2, 3, 4].map((number) => ({
    userId: 2,
    mediaKey: String(number).padStart(32, '0'),
    title: `Round ${number}`,
    publishedAt: timestamp(),
    processingState: 'ready' as const,
  }))
  await db.insertInto('videos').values(videos).execute()
})
afterAll(async () => {
  await db.destroy()
})

beforeEach(async () => {
  const createdAt = timestamp()
  const list = {
    userId: 1,
    kind: 'list' as const,
    title: 'Best of',
    visibility: 'private' as const,
  }
  const row = { ...list, createdAt, updatedAt: createdAt }
  const id = await addRow(db, 'playlists', row)
  playlistId = id
  const items = [1, 2, 3, 4].map((videoId) => ({
    playlistId,
    videoId,
    position: videoId,
    addedAt: createdAt,
  }))
  await db.insertInto('playlistItems').values(items).execute()
})

async function openPlaylist(
  person: typeof ANN | undefined,
  viewport?: { width: number; height: number },
) {
  const { page } = await server.open({ ...(viewport && { viewport }) })
  if (person) await page.request.post('/api/login', { data: person })
  await page.goto(`/playlist/${playlistId}`)
  return page
}

const titles = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts()
const rounds = (...numbers: number[]) => numbers.map((number) => `Round ${number}`)

test('its owner sees what it is and plays it from the first video', async () => {
  const page = await openPlaylist(ANN)
  await page.getByRole('heading', { name: 'Best of', level: 1 }).waitFor()
  await page.getByText('4 videos').waitFor()
  await page.getByText('Private').waitFor()
  expect(await page.title()).toBe('Best of · Clutch')
  expect(await page.getByRole('link', { name: 'Play all' }).getAttribute('href')).toBe(
    `/video/1?list=${playlistId}`,
  )
  expect(await auditPage(page)).toEqual([])
})

test('for others a private playlist is not there', async () => {
  for (const person of [BOB, undefined]) {
    const page = await openPlaylist(person)
    await page.getByRole('heading', { name: 'Playlist Not Found' }).waitFor()
    await page.getByRole('link', { name: 'Return to Home' }).waitFor()
    await page.context().close()
  }
})

test('a public one is shown to everybody, to look at', async () => {
  await changeRows(db, 'playlists', { where: { id: playlistId }, values: { visibility: 'public' } })
  const page = await openPlaylist(undefined)
  await page.getByText('Public', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'ANN' }).getAttribute('href')).toBe('/profile/1')
  expect(await titles(page)).toEqual(rounds(1, 2, 3, 4))
  for (const name of [/^Move/, /^Remove/, 'Edit', 'Delete']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
})

test('videos are moved by keyboard, which is announced', async () => {
  const page = await openPlaylist(ANN)
  const handle = page.getByRole('button', { name: 'Move Round 1' })
  await handle.focus()
  await page.keyboard.press('Space')
  await page.getByText('Round 1, taken up, position 1 of 4.').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByText('Round 1, moved, position 3 of 4.').waitFor()
  expect(await titles(page)).toEqual(rounds(2, 3, 1, 4))
  const saved = page.waitForResponse(/playlist\.moveVideo/)
  await page.keyboard.press('Space')
  await page.getByText('Round 1, put down, position 3 of 4.').waitFor()
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Round 1')

  await saved
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await page.getByText('Round 1, put back, position 3 of 4.').waitFor()
  await page.reload()
  await handle.waitFor()
  expect(await titles(page)).toEqual(rounds(2, 3, 1, 4))
})

test.each([{ name: 'desktop' }, { name: 'phone', viewport: PHONE }].slice(isLongForm ? 0 : 1))(
  'videos are dragged to another place on a $name',
  async ({ viewport }) => {
    const page = await openPlaylist(ANN, viewport)
    const handle = page.getByRole('button', { name: 'Move Round 1' })
    await handle.scrollIntoViewIfNeeded()
    const from = await handle.boundingBox()
    const to = await page.getByRole('button', { name: 'Move Round 2' }).boundingBox()
    if (!from || !to) throw new Error('There are no handles')
    const x = from.x + from.width / 2
    const y = from.y + from.height / 2
    const saved = page.waitForResponse(/playlist\.moveVideo/)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + (to.y - from.y), { steps: 8 })
    await page.mouse.up()
    await expect.poll(() => titles(page)).toEqual(rounds(2, 1, 3, 4))
    await saved
    await page.reload()
    await handle.waitFor()
    expect(await titles(page)).toEqual(rounds(2, 1, 3, 4))
  },
)

test('a video is taken out', async () => {
  const page = await openPlaylist(ANN)
  await page.getByRole('button', { name: 'Remove from Best of' }).nth(1).click()
  await expect.poll(() => titles(page)).toEqual(rounds(1, 3, 4))
  await page.getByText('3 videos').waitFor()
})

test('it is renamed, and an empty title is refused beside the field', async () => {
  const page = await openPlaylist(ANN)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit playlist' })
  await dialog.waitFor()
  // Messages leave the lower edge to its buttons.
  const messages = page.getByRole('region', { name: /^Messages/ })
  await expect.poll(async () => (await messages.boundingBox())?.y).toBeLessThan(100)
  await dialog.getByLabel('Title').fill('  ')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await dialog.getByText("A playlist's title must be 1 to 100 characters.").waitFor()
  await dialog.getByLabel('Title').fill('Worst of')
  await dialog.getByRole('combobox', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: 'Public' }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('heading', { name: 'Worst of', level: 1 }).waitFor()
  await page.getByText('Public', { exact: true }).waitFor()
})

test('it is deleted after a question', async () => {
  const page = await openPlaylist(ANN)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete playlist' }).click()
  await page.waitForURL('/library')
  await page.getByText('Playlist deleted').waitFor()
  await page.goto(`/playlist/${playlistId}`)
  await page.getByRole('heading', { name: 'Playlist Not Found' }).waitFor()
})

test('Watch later and liked videos ask a visitor to sign in', async () => {
  const { page } = await server.open()
  for (const [path, name] of [
    ['/playlist/watch-later', 'Watch later'],
    ['/playlist/liked', 'Liked videos'],
  ]) {
    await page.goto(path as string)
    await page.getByRole('heading', { name: name as string }).waitFor()
    await page.getByRole('link', { name: 'Sign in to see it' }).waitFor()
  }
})
