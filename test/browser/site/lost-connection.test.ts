import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { setConnected } from '#test/support/connection.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const PASSWORD = 'correct horse'
const LOST = 'The server could not be reached.'

const server = setUpHostedSite()

/** A name that no other try of a test has used. */
let names = 0
function newUsername(): string {
  names += 1
  return `member${names}`
}

/** A new member's page, with a video of their own. */
async function openAsMember(): Promise<{ page: Page; videoId: number; title: string }> {
  const { page } = await server.open()
  const username = newUsername()
  const userId = await register(page, username)
  const title = `Match of ${username}`
  const [videoId = 0] = await writeRows(server, (db) => addVideos(db, [{ userId, title }]))
  return { page, videoId, title }
}

/**
 * Sends a filled form while there is no connection, and again once there is one.
 * @param form.fields what is in each field, and must still be in it after the failure
 */
async function sendTwice(
  page: Page,
  form: { fields: [Locator, string][]; button: Locator },
): Promise<void> {
  // What was said of the time before goes first.
  await expect.poll(() => page.getByRole('alert').getByText(LOST).count()).toBe(0)
  for (const [field, value] of form.fields) await field.fill(value)
  await setConnected(page, false)
  await form.button.click()
  await page.getByRole('alert').getByText(LOST).first().waitFor()
  for (const [field, value] of form.fields) expect(await field.inputValue()).toBe(value)
  await setConnected(page, true)
  // It may lie over the button, and stays while the pointer is on it.
  const dismiss = page.getByRole('alert').getByRole('button').first()
  if (await dismiss.isVisible()) await dismiss.click()
  await form.button.click()
}

longTest('an account is made and a member signs in, after the connection came back', async () => {
  const { page } = await server.open()
  await page.goto('/auth?tab=register')
  const label = (name: string) => page.getByLabel(name, { exact: true })
  const username = newUsername()
  await sendTwice(page, {
    fields: [
      [label('Username'), username],
      [label('Email'), `${username}@example.org`],
      [label('Display Name'), 'Ann of Rust'],
      [label('Password'), PASSWORD],
      [label('Confirm Password'), PASSWORD],
    ],
    button: page.getByRole('button', { name: 'Register' }),
  })
  await page.waitForURL('/')
  await page.context().clearCookies()
  await page.goto('/auth')
  await sendTwice(page, {
    fields: [
      [label('Username'), username],
      [label('Password'), PASSWORD],
    ],
    button: page.getByRole('button', { name: 'Login' }),
  })
  await page.waitForURL('/')
})

test('a comment and a reply are posted after the connection came back', async () => {
  const { page, videoId } = await openAsMember()
  await page.goto(`/video/${videoId}`)
  await sendTwice(page, {
    fields: [[page.getByRole('textbox', { name: 'Add a comment' }), 'Well played']],
    button: page.getByRole('button', { name: 'Comment', exact: true }),
  })
  const comment = page.getByRole('article', { name: /^Comment by/ })
  await comment.getByRole('button', { name: 'REPLY' }).click()
  await sendTwice(page, {
    fields: [[page.getByRole('textbox', { name: /^Reply to/ }), 'It was']],
    button: page.getByRole('button', { name: 'Reply', exact: true }),
  })
  await page.getByRole('button', { name: 'HIDE 1 REPLY' }).waitFor()
  await page.reload()
  await page.getByText('Well played').waitFor()
  await page.getByRole('button', { name: '1 REPLY' }).waitFor()
})

longTest('a video is edited after the connection came back', async () => {
  const { page } = await openAsMember()
  await page.goto('/studio')
  await page.getByRole('button', { name: 'Edit' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit Video' })
  await sendTwice(page, {
    fields: [
      [dialog.getByLabel('Title'), 'A better title'],
      [dialog.getByLabel('Description'), 'And what happened in it'],
    ],
    button: dialog.getByRole('button', { name: 'Save Changes' }),
  })
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('A better title').first().waitFor()
})

longTest('the profile and the password are changed after the connection came back', async () => {
  const { page } = await openAsMember()
  await page.goto('/settings')
  const profile = page.locator('form').filter({ has: page.getByLabel('Display Name') })
  await sendTwice(page, {
    fields: [
      [page.getByLabel('Display Name'), 'Petra the Second'],
      [page.getByLabel('Bio'), 'I play for fun.'],
    ],
    button: profile.getByRole('button', { name: 'Save Changes' }),
  })
  await expect
    .poll(async () => (await (await page.request.get('/api/user')).json()).displayName)
    .toBe('Petra the Second')
  const label = (name: string) => page.getByLabel(name, { exact: true })
  await sendTwice(page, {
    fields: [
      [label('Current password'), PASSWORD],
      [label('New password'), 'battery staple'],
      [label('Confirm password'), 'battery staple'],
    ],
    button: page.getByRole('button', { name: 'Change Password' }),
  })
  await page.getByText('Password changed').waitFor()
})

longTest(
  'a playlist is begun, in the library and from a card, after the connection came back',
  async () => {
    const { page, title } = await openAsMember()
    await page.goto('/library')
    await page.getByRole('button', { name: 'New playlist' }).click()
    const dialog = page.getByRole('dialog', { name: 'New playlist' })
    await sendTwice(page, {
      fields: [
        [dialog.getByLabel('Title'), 'Best of'],
        [dialog.getByLabel('Description'), 'Only wins'],
      ],
      button: dialog.getByRole('button', { name: 'Create' }),
    })
    await dialog.waitFor({ state: 'detached' })
    await page.goto('/')
    await page.getByRole('button', { name: `Actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Add to playlist' }).click()
    const picker = page.getByRole('dialog', { name: 'Add to playlist' })
    await picker.getByRole('button', { name: 'New playlist' }).click()
    await sendTwice(page, {
      fields: [[picker.getByRole('textbox'), 'Worst of']],
      button: picker.getByRole('button', { name: 'Create' }),
    })
    await picker.getByRole('checkbox', { name: /Worst of/ }).waitFor()
  },
)

longTest('a video is uploaded after the connection came back', async () => {
  const { page } = await openAsMember()
  const path = join(server.dataFolder, 'match.mp4')
  await makeClip({ path, seconds: 2 })
  // What is fetched ahead while nothing else is to be done has to be there before the connection goes.
  const ahead = page.waitForResponse((answer) => /\/watch-page.*\.js$/.test(answer.url()))
  await page.goto('/upload')
  await ahead
  await page.locator('input[type=file]').first().setInputFiles(path)
  const title = page.getByLabel('Title')
  const description = page.getByLabel('Description')
  await title.fill('The last stand')
  await description.fill('Nobody left')
  await setConnected(page, false)
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await page.getByText('Waiting for the server. The upload continues automatically.').waitFor()
  expect(await page.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(0)
  expect(await title.inputValue()).toBe('The last stand')
  expect(await description.inputValue()).toBe('Nobody left')
  await setConnected(page, true)
  await page.waitForURL(/\/video\/\d+$/, { timeout: 60_000 })
  await page.getByRole('heading', { name: 'The last stand' }).waitFor()
})

const reconnecting = (page: Page) => page.getByText('Reconnecting…')

longTest('a dialog that cannot be fetched opens once the connection came back', async () => {
  const { page } = await openAsMember()
  await page.goto('/library')
  const begin = page.getByRole('button', { name: 'New playlist' })
  await begin.waitFor()
  await setConnected(page, false)
  await reconnecting(page).waitFor()
  await begin.click()
  await setConnected(page, true)
  await page.getByRole('dialog', { name: 'New playlist' }).waitFor()
})

longTest('a menu that cannot be fetched opens once the connection came back', async () => {
  const { page } = await openAsMember()
  await page.goto('/')
  const menu = page.getByRole('button', { name: 'User menu' })
  await menu.waitFor()
  await setConnected(page, false)
  await reconnecting(page).waitFor()
  await menu.click()
  await setConnected(page, true)
  await page.getByRole('link', { name: 'Your profile' }).waitFor()
})

longTest(
  'a dialog that is missing for another reason is said so, with a way to load the page again',
  async () => {
    const { page } = await openAsMember()
    await page.goto('/library')
    const begin = page.getByRole('button', { name: 'New playlist' })
    await begin.waitFor()
    await page.waitForLoadState('networkidle')
    await page.route(/assets\/playlist-form-.*js/, (route) => route.fulfill({ status: 404 }))
    await begin.click()
    const said = page
      .getByRole('alert')
      .filter({ hasText: 'Part of this page could not be loaded' })
    await said.getByText('Check your connection, or load the page again.').waitFor()
    await page.unrouteAll()
    await said.getByRole('button', { name: 'Reload' }).click()
    await said.waitFor({ state: 'detached' })
    await begin.click()
    await page.getByRole('dialog', { name: 'New playlist' }).waitFor()
  },
)

longTest('a bell that cannot be fetched leaves the page alone', async () => {
  const { page } = await openAsMember()
  const bell = /assets\/notification-bell-.*js/
  let refused = 0
  await page.route(bell, (route) => {
    refused += 1
    return route.abort()
  })
  await page.goto('/history')
  await expect.poll(() => refused).toBeGreaterThan(0)
  await page.waitForTimeout(500)
  expect(await page.locator('header .tabler-icon-bell').count()).toBe(1)
  await page.getByRole('button', { name: 'Pause history' }).click()
  await page.getByRole('button', { name: 'Resume history' }).waitFor()
})
