import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { register } from '#test/support/site-member.ts'

const ANN = { username: 'ann', password: 'correct horse' }

const server = setUpHostedSite()

beforeAll(async () => {
  for (const name of [ANN.username, 'bob']) await register(server.origin, name, `${name} of Rust`)
  const db = openDatabase(server.dataFolder)
  const videos = [0, 1, 2, 3].map((index) => ({
    userId: 2,
    mediaKey: String(index).padStart(32, '0'),
    title: `Match ${index}`,
    publishedAt: timestamp(new Date(Date.now() - index)),
    processingState: 'ready' as const,
  }))
  await db.insertInto('videos').values(videos).execute()
  await db.destroy()
})

async function openAsAnn(viewport = DESKTOP) {
  const opened = await server.open({ viewport })
  await opened.page.request.post('/api/login', { data: ANN })
  return opened
}

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) })

async function openMenu(page: Page, title: string) {
  await card(page, title).hover()
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  return page.getByRole('menu', { name: `Actions for ${title}` })
}

longTest('a visitor is asked to sign in, and can only share', async () => {
  const { page, problems } = await server.open()
  await page.goto('/library')
  await page.getByText('Keep what you like').waitFor()
  const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' })
  expect(await signIn.getAttribute('href')).toMatch(/^\/auth\?next=%2Flibrary/)
  await page.goto('/')
  const menu = await openMenu(page, 'Match 0')
  await menu.getByRole('menuitem', { name: 'Share' }).waitFor()
  expect(await menu.getByRole('menuitem', { name: 'Sign in to save' }).getAttribute('href')).toBe(
    '/auth',
  )
  expect(await menu.getByRole('menuitem').count()).toBe(4)
  expect(problems).toEqual([])
})

test('an empty library says what will be in it', async () => {
  const { page, problems } = await openAsAnn()
  await page.goto('/library')
  for (const text of [
    'Your watch history is empty',
    'Nothing saved for later',
    'No liked videos',
    'No playlists yet',
  ]) {
    await page.getByText(text).waitFor()
  }
  await page.getByRole('main').getByRole('link', { name: 'Browse videos' }).waitFor()
  expect(await page.title()).toBe('Library · Clutch')
  expect(problems).toEqual([])
})

longTest("a card's menu saves for later, by keyboard too", async () => {
  const { page, problems } = await openAsAnn()
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Actions for Match 1' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator(':focus').innerText()).toBe('Play next')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await page.locator(':focus').innerText()).toBe('Add to playlist')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText('Saved to Watch later').waitFor()
  await page.goto('/library')
  await page.getByRole('region', { name: 'Watch later' }).getByText('Match 1').waitFor()
  expect(problems).toEqual([])
})

test('a video goes into playlists, old and new, from its card', async () => {
  const { page, problems } = await openAsAnn(PHONE)
  await page.goto('/')
  await (await openMenu(page, 'Match 2')).getByText('Add to playlist').click()
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' })
  await dialog.getByRole('button', { name: 'New playlist' }).click()
  await dialog.getByLabel('Title').fill('Best of the wipe')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const choice = dialog.getByRole('checkbox', { name: /Best of the wipe/ })
  await choice.waitFor()
  expect(await choice.isChecked()).toBe(true)
  await choice.click()
  await expect.poll(() => choice.isChecked()).toBe(false)
  const added = page.waitForResponse(/playlist\.addVideo/)
  await choice.click()
  await expect.poll(() => choice.isChecked()).toBe(true)
  await added
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goto('/library')
  await page.getByRole('link', { name: 'Best of the wipe' }).click()
  await card(page, 'Match 2').waitFor()
  expect(problems).toEqual([])
})

longTest('a video nobody wants to see goes away, and can be brought back', async () => {
  const { page } = await openAsAnn()
  await page.goto('/')
  await (await openMenu(page, 'Match 3')).getByText('Not interested').click()
  await page.getByText('This video will no longer appear in your lists.').waitFor()
  expect(await card(page, 'Match 3').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'Match 3').waitFor()
  await (await openMenu(page, 'Match 3')).getByText('Not interested').click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.reload()
  await card(page, 'Match 0').waitFor()
  expect(await card(page, 'Match 3').count()).toBe(0)
})

longTest('the library shows the latest of each list and leads to all of it', async () => {
  const { page } = await openAsAnn()
  await page.request.post('/api/likes', { data: { videoId: 1, isLike: true } })
  await page.goto('/library')
  const liked = page.getByRole('region', { name: 'Liked videos' })
  await liked.getByText('Match 0').waitFor()
  expect(await auditPage(page)).toEqual([])
  await liked.getByRole('link', { name: 'See all of your liked videos' }).click()
  await page.getByRole('heading', { name: 'Liked videos', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Remove from liked videos' }).click()
  await page.getByText('No liked videos').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'See all of your history' }).click()
  await page.waitForURL('/history')
})
