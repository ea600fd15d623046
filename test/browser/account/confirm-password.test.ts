import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const PASSWORD = 'correct horse'

const server = setUpHostedSite()

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))

async function openMember(
  username: string,
  options: { viewport?: typeof PHONE; code?: string } = {},
) {
  const { viewport = DESKTOP, code } = options
  const { page } = await server.open({ viewport })
  await register(page, username, code)
  return page
}

test('what was asked for goes on once the password is right, and not before', async () => {
  const page = await openMember('ann', { viewport: PHONE })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'New API token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await dialog.getByLabel('Name', { exact: true }).fill('My desktop')
  const make = dialog.getByRole('button', { name: 'Create API token' })

  await make.click()
  await question(page).waitFor()
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  await dialog.getByText('Please confirm your password first.').waitFor()

  await make.click()
  await question(page).waitFor()
  expect(await focused(page)).toBe('password')
  await page.keyboard.type('wrong horse')
  await page.keyboard.press('Enter')
  await question(page).getByText('The current password is not right.').waitFor()
  expect(await focused(page)).toBe('password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('it is not shown again').waitFor()
  expect(await question(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Done' }).click()

  // For ten minutes it is not asked again.
  await page.getByRole('button', { name: 'New API token' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('My laptop')
  await make.click()
  await page.getByText('it is not shown again').waitFor()
})

longTest('a question that cannot be fetched refuses the action and leaves the page', async () => {
  const page = await openMember('mia')
  await page.goto('/settings')
  await page.getByRole('button', { name: 'New API token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await dialog.getByLabel('Name', { exact: true }).fill('My desktop')
  await page.route(/assets\/confirm-password-.*js/, (route) => route.fulfill({ status: 404 }))
  await dialog.getByRole('button', { name: 'Create API token' }).click()
  await page.getByText('Part of this page could not be loaded').waitFor()
  await dialog.getByText('Please confirm your password first.').waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('My desktop')
})

longTest('all other sessions end from the settings, and this one stays', async () => {
  const page = await openMember('bob')
  const other = await server.open()
  const credentials = { username: 'bob', password: PASSWORD }
  await other.page.request.post('/api/login', { data: credentials })
  await page.goto('/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await sessions.getByRole('button', { name: /^Log out/ }).waitFor()
  const end = sessions.getByRole('button', { name: 'End all other sessions' })
  await end.click()
  await question(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Logged out everywhere else').waitFor()
  await sessions.getByRole('button', { name: /^Log out/ }).waitFor({ state: 'detached' })
  expect(await end.isDisabled()).toBe(true)
  expect((await other.page.request.get('/api/user')).status()).toBe(401)
  expect((await page.request.get('/api/user')).status()).toBe(200)
})

longTest('an admin signs a member out, and makes one an admin, after the password', async () => {
  const member = await openMember('carl')
  const page = await openMember('chief', { code: await server.setupCode() })
  await page.goto('/admin/members')
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for The carl' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Sign-in')
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  const signOut = page.getByRole('dialog', { name: 'Log The carl out everywhere?' })
  await signOut.getByRole('button', { name: 'Log out' }).click()
  await question(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Logged out everywhere').waitFor()
  await signOut.waitFor({ state: 'detached' })
  expect((await member.request.get('/api/user')).status()).toBe(401)
  await page.getByText('None open').waitFor()
  await page.keyboard.press('Escape')
  await act('Make admin')
  const promote = page.getByRole('dialog', { name: 'Make The carl an admin?' })
  await promote.getByRole('button', { name: 'Make admin' }).click()
  await page.getByText('· admin').nth(1).waitFor()
  await page.goto('/admin/audit')
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'made an admin of carl' }).waitFor()
  await rows.filter({ hasText: 'ended the sessions of carl' }).waitFor()
})
