import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import type { SavedSession } from '#test/support/full-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const LOGO = join(import.meta.dirname, '..', '..', '..', 'public', 'icons', 'icon-192.png')

const PASSWORD = 'correct horse'

const server = setUpHostedSite()
let session: SavedSession

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'chief', await server.setupCode())
  const change = { extraCategories: ['Chess'] }
  const saved = await page.request.post('/trpc/site.edit', { data: change })
  expect(saved.status()).toBe(200)
  session = await page.context().storageState()
  await page.context().close()
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Forgetful')
    await addVideos(
      db,
      Array.from({ length: 5 }, (_, index) => ({ userId, title: `Round ${index + 1}` })),
    )
  })
})

const openContext = () =>
  server.browser.newContext({ baseURL: server.origin, viewport: DESKTOP, storageState: session })

test('what cannot be taken back is asked first', async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.goto('/admin/settings')
  await page.getByLabel('Choose a logo').setInputFiles(LOGO)
  await page.getByAltText('The logo as it is now').waitFor()
  await page.getByRole('button', { name: 'Remove the logo' }).click()
  await answer(page, 'Remove the logo?', 'Cancel')
  await page.getByAltText('The logo as it is now').waitFor()
  await page.getByRole('button', { name: 'Remove the logo' }).click()
  await answer(page, 'Remove the logo?', 'Remove')
  await page.getByAltText('The logo as it is now').waitFor({ state: 'detached' })

  const games = page.getByRole('region', { name: 'Games', exact: true })
  const remove = async () => {
    await games.getByRole('button', { name: 'More for Chess' }).click()
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
  }
  await remove()
  await answer(page, 'Remove Chess?', 'Cancel')
  expect(await (await page.request.get('/api/categories')).json()).toContain('Chess')
  await remove()
  await answer(page, 'Remove Chess?', 'Remove')
  await page.getByText('Chess removed').waitFor()
  expect(await (await page.request.get('/api/categories')).json()).not.toContain('Chess')
  await context.close()
})

test('settings that another tab changed stay, and one that both changed is asked about', async () => {
  const context = await openContext()
  const [page, other] = [await context.newPage(), await context.newPage()]
  for (const one of [page, other]) await one.goto('/admin/settings')
  const save = async (at: Page) => at.getByRole('button', { name: 'Save settings' }).click()
  const settings = async () => (await page.request.get('/trpc/site.adminSettings')).json()
  await other.getByLabel('Tagline').fill('Their tagline')
  await other.getByLabel('Rules').fill('# Their rules\n- One\n- Two')
  await save(other)
  await other.getByText('Settings saved').waitFor()

  await page.getByLabel('Notice').fill('A notice')
  await page.getByLabel('Rules').fill('# My rules')
  await save(page)
  const panel = page.getByRole('alert', { name: 'Someone else changed this in the meantime' })
  const rules = panel.getByRole('group', { name: 'Rules' })
  await rules.getByText('# My rules').waitFor()
  expect(await rules.getByRole('textbox', { name: 'Theirs' }).inputValue()).toBe(
    '# Their rules\n- One\n- Two',
  )
  const read = async () => {
    const { notice, rules: text, tagline } = (await settings()).result.data
    return { notice, rules: text, tagline }
  }
  const theirs = { notice: '', rules: '# Their rules\n- One\n- Two', tagline: 'Their tagline' }
  expect(await read()).toEqual(theirs)
  await panel.getByRole('button', { name: 'Use theirs: Rules' }).click()
  await page.getByText('Settings saved').waitFor()
  expect(await read()).toEqual({ ...theirs, notice: 'A notice' })
  expect(await page.getByLabel('Tagline').inputValue()).toBe('Their tagline')
  expect(await page.getByLabel('Rules').inputValue()).toBe(theirs.rules)

  // The other tab has the notice as it was.
  await other.getByLabel('Notice').fill('Another notice')
  await save(other)
  await other.getByRole('button', { name: 'Use mine: Notice' }).click()
  await expect.poll(async () => (await read()).notice).toBe('Another notice')
  await context.close()
})

const answer = async (page: Page, title: string, button: string) => {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}

longTest('a key held down approves one video', async () => {
  const context = await openContext()
  const page = await context.newPage()
  await writeRows(server, async (db) => {
    await db.updateTable('videos').set({ contentApproved: 0 }).where('id', '<', 6).execute()
  })
  await page.goto('/admin/approvals')
  const waiting = page.getByRole('list', { name: 'Waiting videos' }).getByRole('listitem')
  await waiting.first().waitFor()
  const before = await waiting.count()
  await page.keyboard.down('a')
  await page.getByText('Approved').waitFor()
  for (let times = 0; times < 5; times++) {
    await page.keyboard.down('a')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  await page.keyboard.up('a')
  await page.reload()
  await waiting.first().waitFor()
  expect(await waiting.count()).toBe(before - 1)
  await context.close()
})

longTest('a key held down goes on through the approvals', async () => {
  const context = await openContext()
  const page = await context.newPage()
  await writeRows(server, async (db) => {
    await db.updateTable('videos').set({ contentApproved: 0 }).where('id', '<', 6).execute()
  })
  await page.goto('/admin/approvals')
  const waiting = page.getByRole('list', { name: 'Waiting videos' }).getByRole('button')
  await waiting.first().waitFor()
  const count = await waiting.count()
  for (let times = 1; times < count; times++) await page.keyboard.down('j')
  await expect.poll(() => waiting.last().getAttribute('aria-current')).toBe('true')
  await page.keyboard.up('j')
  await context.close()
})

test('the desk says what encodes the videos', async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.goto('/admin/jobs')
  await page.getByText(/^Encodes with \S+ on the (processor|graphics card)$/).waitFor()
  await context.close()
})

test('on a phone the way to the current part is in sight, and an end behind which there is more says so', async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.setViewportSize(PHONE)
  await page.goto('/admin/settings')
  const nav = page.getByRole('navigation', { name: 'Admin' })
  const place = await nav.getByRole('link', { name: 'Settings' }).boundingBox()
  expect(place?.x).toBeGreaterThanOrEqual(0)
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(PHONE.width)
  const right = nav.getByRole('button', { name: 'Scroll sections right' })
  await nav.getByRole('button', { name: 'Scroll sections left' }).waitFor()
  await right.click()
  // A press moves it by 200 px, which need not be all of the way.
  const strip = nav.locator('[data-more-left]')
  await strip.evaluate((row) => row.scrollTo({ left: row.scrollWidth }))
  await right.waitFor({ state: 'detached' })
  await nav.getByRole('link', { name: 'Audit log' }).click({ trial: true })
  await context.close()
})

longTest('a forgotten password is renewed by a link that works once', async () => {
  const member = await writeRows(server, (db) => readRow(db, 'users', { isAdmin: 0 }))
  const context = await openContext()
  const page = await context.newPage()
  await page.goto('/admin/members')
  await page.getByRole('button', { name: `Actions for ${member.displayName}` }).click()
  await page.getByRole('menuitem', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Reset password' }).click()
  const dialog = page.getByRole('dialog', { name: /^Reset the password|^A link for/ })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const password = page.getByRole('dialog', { name: 'Confirm your password' })
  await password.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await password.getByRole('button', { name: 'Confirm' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link to a new password' }).inputValue()
  expect(link).toMatch(/\/reset#[\w-]{43}$/)
  // Typing the password replaced the cookie.
  session = await context.storageState()
  await context.close()

  const forgetful = await server.browser.newContext({ baseURL: server.origin })
  const reset = await forgetful.newPage()
  await reset.goto(link)
  await reset.getByText(`For @${member.username}.`).waitFor()
  await reset.getByLabel('New password', { exact: true }).fill('a better horse')
  await reset.getByLabel('Confirm Password', { exact: true }).fill('another horse')
  await reset.getByRole('button', { name: 'Save password' }).click()
  await reset.getByText('Passwords do not match').waitFor()
  await reset.getByLabel('Confirm Password', { exact: true }).fill('a better horse')
  await reset.getByRole('button', { name: 'Save password' }).click()
  await reset.getByText('Password changed').waitFor()
  await reset.getByLabel('Username').fill(member.username)
  await reset.getByLabel('Password', { exact: true }).fill('a better horse')
  await reset.getByRole('button', { name: 'Login' }).click()
  await reset.getByRole('button', { name: 'Notifications' }).waitFor()
  await reset.goto(link)
  await reset.getByRole('alert').getByText(/link/).waitFor()
  expect(await reset.getByLabel('New Password').count()).toBe(0)
  await forgetful.close()
})

longTest('a worker is added, drained and ended', async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.goto('/admin/workers')
  await page.getByText('No workers yet').waitFor()
  await page.getByRole('button', { name: 'Add a worker' }).click()
  await page.getByLabel('Name').fill('Gaming PC')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const command = page.getByRole('textbox', { name: 'Command' })
  const password = page.getByRole('dialog', { name: 'Confirm your password' })
  // Another test of this session may just have typed it.
  await command.or(password).first().waitFor()
  if (await password.isVisible()) {
    await password.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await password.getByRole('button', { name: 'Confirm' }).click()
  }
  expect(await command.inputValue()).toMatch(
    /^npm run worker -- http:\S+ --token clutch_worker_[\w-]{43}$/,
  )
  session = await context.storageState()
  await page.getByRole('button', { name: 'Done' }).click()
  const card = page.getByRole('article', { name: 'Gaming PC' })
  await card.getByText('never seen').waitFor()
  await card.getByRole('button', { name: 'Drain Gaming PC' }).click()
  await card.getByText('Drained', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Give Gaming PC work again' }).click()
  await card.getByText('Away').waitFor()
  await card.getByRole('button', { name: 'End Gaming PC' }).click()
  await answer(page, 'End Gaming PC?', 'End')
  await card.waitFor({ state: 'detached' })
  await context.close()
})
