import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { setConnected } from '#test/support/connection.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

beforeAll(async () => {
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Ann of Rust')
    const titles = ['Match one', 'Match two', 'Match three']
    return addVideos(
      db,
      titles.map((title) => ({ userId, title })),
    )
  })
})

const cardOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

test('by keyboard a card is hidden, taken back, hidden again, and stays away', async () => {
  const { page, problems } = await server.open()
  await register(page, 'kim')
  await page.goto('/')
  const menu = page.getByRole('menu', { name: 'Actions for Match two' })
  const hide = async () => {
    await page.getByRole('button', { name: 'Actions for Match two' }).press('Enter')
    const first = menu.getByRole('menuitem', { name: 'Play next' })
    await expect.poll(() => first.evaluate((item) => item.matches(':focus'))).toBe(true)
    await page.keyboard.press('End')
    await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('video.hide')),
      page.keyboard.press('Enter'),
    ])
    await page.getByText('This video will no longer appear in your lists.').waitFor()
  }
  await hide()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect.poll(() => undo.evaluate((button) => button.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')
  await cardOf(page, 'Match two').waitFor()
  await hide()
  await page.reload()
  await cardOf(page, 'Match three').waitFor()
  expect(await cardOf(page, 'Match two').count()).toBe(0)
  await page.goto('/video/1')
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  await recommended.getByRole('link', { name: 'Match three' }).waitFor()
  expect(await recommended.getByText('Match two').count()).toBe(0)
  expect(problems).toEqual([])
})

longTest('on a phone the menu is a sheet at the lower edge, and saves for later', async () => {
  const { page } = await server.open({ viewport: PHONE })
  await register(page, 'pia')
  await page.goto('/')
  await page.getByRole('button', { name: 'Actions for Match one' }).click()
  const menu = page.getByRole('menu', { name: 'Actions for Match one' })
  const later = menu.getByRole('menuitem', { name: 'Watch later' })
  await later.waitFor()
  await expect
    .poll(async () => {
      const box = await menu.boundingBox()
      const { x = -1, y = 0, width = 0, height = 0 } = box ?? {}
      return x === 0 && width > 0.9 * PHONE.width && Math.round(y + height) === PHONE.height
    })
    .toBe(true)
  await later.click()
  await page.getByText('Saved to Watch later').waitFor()
  await page.goto('/playlist/watch-later')
  await page.getByRole('link', { name: 'Match one' }).waitFor()
})

longTest('a card that the server did not hide comes back, and says why', async () => {
  const { page } = await server.open()
  await register(page, 'oda')
  await page.goto('/')
  await page.getByRole('button', { name: 'Actions for Match one' }).click()
  const item = page.getByRole('menuitem', { name: 'Not interested' })
  await item.waitFor()
  await setConnected(page, false)
  await item.click()
  await page.getByRole('alert').getByText('The video could not be hidden').waitFor()
  await cardOf(page, 'Match one').waitFor()
})

longTest('a new playlist is begun from a card, with the keyboard alone', async () => {
  const { page } = await server.open()
  await register(page, 'leo')
  await page.goto('/')
  await page.getByRole('button', { name: 'Actions for Match three' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Add to playlist' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' })
  await dialog.getByRole('button', { name: /new playlist/i }).press('Enter')
  await dialog.getByRole('textbox').fill('Best of June')
  await dialog.getByRole('textbox').press('Enter')
  await dialog.getByRole('checkbox', { name: /Best of June/ }).waitFor()
  expect(await dialog.getByRole('checkbox', { name: /Best of June/ }).isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

longTest('a playlist that could not be filled is filled later, not made twice', async () => {
  const { page } = await server.open()
  await register(page, 'mia')
  await page.goto('/')
  await page.getByRole('button', { name: 'Actions for Match one' }).click()
  await page.getByRole('menuitem', { name: 'Add to playlist' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' })
  await dialog.getByRole('button', { name: 'New playlist' }).click()
  await dialog.getByRole('textbox').fill('Best of July')
  await page.route(/playlist\.addVideo/, (route) => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').getByText('The server could not be reached.').waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Playlist created').waitFor()
  const choices = dialog.getByRole('checkbox', { name: /Best of July/ })
  await expect.poll(() => choices.isChecked()).toBe(true)
  expect(await choices.count()).toBe(1)
})
