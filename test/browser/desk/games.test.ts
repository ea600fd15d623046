import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { accentOn } from '#shared/colour.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import type { SavedSession } from '#test/support/full-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const PICTURE = join(import.meta.dirname, '..', '..', '..', 'public', 'icons', 'icon-192.png')

const server = setUpHostedSite()
let session: SavedSession

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'chief', await server.setupCode())
  session = await page.context().storageState()
  await page.context().close()
})

const openAdmin = async (viewport: { width: number; height: number }) => {
  const options = { baseURL: server.origin, viewport, storageState: session }
  const context = await server.browser.newContext(options)
  return { context, page: await context.newPage() }
}

test('an admin adds games, orders them, and gives them colours and pictures', async () => {
  const { context, page } = await openAdmin(DESKTOP)
  await page.goto('/admin/settings')
  const games = page.getByRole('region', { name: 'Games', exact: true })
  for (const name of ['Chess', 'Valorant']) {
    await games.getByLabel('Name of the new game').fill(name)
    await page.keyboard.press('Enter')
    await games.getByRole('button', { name: `Move ${name}` }).waitFor()
  }
  await games.getByLabel('Name of the new game').fill('rust')
  await page.keyboard.press('Enter')
  await games.getByText('Every game needs a name of its own.').waitFor()
  const categories = async () => (await page.request.get('/api/categories')).json()
  expect((await categories()).slice(8)).toEqual(['Chess', 'Valorant'])
  // The keyboard picks up the game, moves it and drops it.
  await games.getByRole('button', { name: 'Move Valorant' }).focus()
  for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key)
  await expect.poll(async () => (await categories()).slice(8)).toEqual(['Valorant', 'Chess'])
  await games.getByLabel('Colour of Chess').fill('#3366cc')
  await page.keyboard.press('Tab')
  await games.getByLabel('Choose a picture of Chess').setInputFiles(PICTURE)
  await games.getByAltText('Art of Chess').waitFor()
  expect(await auditPage(page)).toEqual([])
  // Visitors see the colour too, as bright as each colour scheme needs.
  const { page: visitor, problems } = await server.open()
  await visitor.goto('/')
  const chip = visitor.getByRole('navigation', { name: 'Categories' }).getByRole('listitem')
  const hue = () =>
    chip
      .filter({ hasText: 'Chess' })
      .evaluate((item) => getComputedStyle(item).getPropertyValue('--game').trim())
  for (const scheme of ['dark', 'light'] as const) {
    await visitor.emulateMedia({ colorScheme: scheme })
    await expect.poll(hue).toBe(accentOn(scheme, '#3366cc').mark)
  }
  await visitor.goto('/?category=Chess')
  await visitor.getByRole('region', { name: 'About Chess' }).locator('img').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('the colour of a game is typed or picked, and can be taken back', async () => {
  const { context, page } = await openAdmin(DESKTOP)
  const colour = async () => {
    const answer = await page.request.get('/trpc/site.settings')
    return (await answer.json()).result.data.categoryColours.Valorant
  }
  await page.goto('/admin/settings')
  const field = page.getByLabel('Colour of Valorant')
  await field.fill('red?')
  await page.keyboard.press('Tab')
  await page.getByText('A game has a colour like #4a8fd0.').waitFor()
  expect(await colour()).toBeUndefined()
  await field.fill('#36C')
  await page.keyboard.press('Tab')
  await expect.poll(colour).toBe('#3366cc')
  expect(await field.inputValue()).toBe('#3366cc')
  expect(await page.getByText('A game has a colour like #4a8fd0.').count()).toBe(0)
  // The focus stays in the field.
  await field.click()
  const hue = page.getByRole('slider').first()
  const box = await hue.boundingBox()
  if (!box) throw new Error('There is no colour picker.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.25)
  await page.mouse.up()
  await expect.poll(colour).not.toBe('#3366cc')
  expect(await field.inputValue()).toBe(await colour())
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'More for Valorant' }).click()
  await page.getByRole('menuitem', { name: 'Use no colour' }).click()
  await expect.poll(colour).toBeUndefined()
  await page.getByRole('button', { name: 'More for Valorant' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Use no colour' }).count()).toBe(0)
  await context.close()
})

longTest('an archived game is not listed in the category strip, but keeps its page', async () => {
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Ann')
    await addVideos(db, [{ userId, title: 'Queen sacrifice', category: 'Chess' }])
  })
  const { context, page } = await openAdmin(PHONE)
  await page.goto('/admin/settings')
  await page.getByRole('button', { name: 'More for Chess' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('Archived · 1 video').waitFor()
  expect(await auditPage(page)).toEqual([])
  await page.goto('/')
  const strip = page.getByRole('navigation', { name: 'Categories' })
  await strip.getByText('Valorant').waitFor()
  expect(await strip.getByText('Chess').count()).toBe(0)
  await page.getByText('Queen sacrifice').first().waitFor()
  await page.goto('/?category=Chess')
  await page.getByRole('region', { name: 'About Chess' }).getByText('1 video · archived').waitFor()
  await page.getByRole('link', { name: 'Queen sacrifice' }).waitFor()
  await context.close()
})
