import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { chooseOption } from '#test/support/choose-option.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { timeCodeOf } from '#test/support/time-codes.ts'
import { addAuthenticator } from '#test/support/virtual-authenticator.ts'

const PASSWORD = 'correct horse'

const server = setUpHostedSite()

/** Passkeys work at `localhost`, but not at an IP address. */
const named = () => `http://localhost:${server.port}`

async function openMember(
  username: string,
  options: { viewport?: typeof PHONE; at?: string } = {},
) {
  const { viewport = DESKTOP, at = named() } = options
  const opened = await server.open({ origin: at, viewport, isNew: true })
  await register(opened.page, username)
  await opened.page.goto('/settings#two-step')
  return opened
}

const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' })

async function confirm(page: Page) {
  await question(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await question(page).waitFor({ state: 'detached' })
}

async function addPasskey(page: Page, name: string) {
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

/**
 * Also forgets that a passkey was used: otherwise the browser would offer it, and the virtual authenticator would
 * accept at once.
 */
async function logOut(page: Page) {
  await page.evaluate(() => localStorage.clear())
  await page.request.post('/api/logout')
  await page.goto('/auth')
}

async function logIn(page: Page, username: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Sets up the authenticator app. @returns its key */
async function setUpApp(page: Page): Promise<string> {
  await section(page).getByRole('button', { name: 'Set up' }).click()
  await confirm(page)
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const secret = await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()
  await dialog.getByLabel('Code', { exact: true }).fill(timeCodeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  return secret
}

test('a passkey is added in the settings and signs in without a name or a password', async () => {
  const { page } = await openMember('ann')
  await addAuthenticator(page)
  await section(page).getByText('A passkey signs you in').waitFor()
  await addPasskey(page, 'Laptop')
  await confirm(page)
  await section(page).getByText('Laptop').waitFor()
  await section(page).getByText('never used').waitFor()

  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('You have successfully logged in.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect((await page.request.get('/api/user')).status()).toBe(200)
})

longTest(
  'codes of an app are asked for after the password, and recovery codes stand in',
  async () => {
    const { page } = await openMember('bob', { viewport: PHONE })
    const secret = await setUpApp(page)
    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await codes.getByRole('listitem').first().waitFor()
    const [recovery = ''] = await codes.getByRole('listitem').allInnerTexts()
    expect(await codes.getByRole('listitem').count()).toBe(10)
    await auditPage(page)
    await codes.getByRole('button', { name: 'I have saved them' }).click()
    await section(page).getByText('10 left').waitFor()

    await logOut(page)
    await logIn(page, 'bob')
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong.').waitFor()
    await auditPage(page)
    await page.reload()
    await code.fill(timeCodeOf(secret, 1))
    await page.keyboard.press('Enter')
    await page.getByText('You have successfully logged in.').waitFor()

    await logOut(page)
    await logIn(page, 'bob')
    await code.waitFor()
    await page.getByRole('button', { name: 'Back to login' }).click()
    await page.reload()
    await logIn(page, 'bob')
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('You have successfully logged in.').waitFor()
    await page.goto('/settings#two-step')
    await section(page).getByText('9 left').waitFor()
  },
)

longTest(
  'a passkey is the second factor where the member wants that, and confirms alone',
  async () => {
    const { page } = await openMember('cid')
    await addAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await confirm(page)
    await section(page).getByRole('switch', { name: 'Ask for a passkey' }).click({ force: true })
    await page.getByRole('button', { name: 'I have saved them' }).click()

    await logOut(page)
    await logIn(page, 'cid')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('You have successfully logged in.').waitFor()

    await page.goto('/settings#two-step')
    await section(page).getByRole('button', { name: 'Make new recovery codes' }).click()
    await page.getByRole('button', { name: 'Make new codes' }).click()
    await question(page).getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor()
    await page.getByRole('button', { name: 'I have saved them' }).click()

    await section(page).getByRole('button', { name: 'Actions for Laptop' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await section(page).getByText('Old laptop').waitFor()
    await section(page).getByRole('button', { name: 'Actions for Old laptop' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await section(page).getByText('A passkey signs you in').waitFor()
  },
)

longTest(
  'who signs in by password on a device that can keep a passkey is offered one',
  async () => {
    const { page } = await openMember('gil', { viewport: PHONE })
    await addAuthenticator(page)
    await logOut(page)
    await logIn(page, 'gil')
    await page.getByText('With a passkey, you need no password').waitFor()
    await auditPage(page)
    await page.getByRole('region', { name: 'Messages' }).getByText('Add a passkey').click()
    await page.waitForURL('**/settings#two-step')
    await section(page).getByText('A passkey signs you in').waitFor()

    await page.request.post('/api/logout')
    await page.goto('/auth')
    await logIn(page, 'gil')
    await page.getByText('You have successfully logged in.').waitFor()
    expect(await page.getByText('Add a passkey').count()).toBe(0)
  },
)

longTest(
  'a browser that used a passkey offers it at the field of the name, others ask nothing',
  async () => {
    const { page } = await openMember('fay')
    await addAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await confirm(page)
    await section(page).getByText('Laptop').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('beginPasskeySignIn')) asked.push(request.url())
    })
    await logOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    await page.evaluate(() => localStorage.setItem('clutch-passkey', 'used'))
    await page.reload()
    await page.getByText('You have successfully logged in.').waitFor()
    expect(asked).toHaveLength(1)
  },
)

longTest(
  'without https the settings say why there are no passkeys, and the sign-in page has no button',
  async () => {
    const { page } = await openMember('dan', { at: server.origin })
    await section(page)
      .getByText('Passkeys need https and a name instead of an IP address.')
      .waitFor()
    expect(await section(page).getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    await logOut(page)
    await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /passkey/ }).count()).toBe(0)
  },
)

longTest('a site that requires a second factor has it set up at the sign-in page', async () => {
  const admin = await server.open({ origin: named(), isNew: true })
  await register(admin.page, 'boss', await server.setupCode())
  await admin.page.goto('/settings#two-step')
  await setUpApp(admin.page)
  await admin.page.getByRole('button', { name: 'I have saved them' }).click()
  const { page } = await openMember('eve')
  const { page: ivy } = await openMember('ivy')
  await admin.page.goto('/admin/sign-in')
  await chooseOption(admin.page, 'Who needs it', 'Required for everybody')
  await admin.page.getByRole('button', { name: 'Save settings' }).click()
  await admin.page.getByText('Settings saved').waitFor()

  await page.reload()
  await section(page).getByText('This site requires two-step sign-in. Add').waitFor()
  await logOut(page)
  await logIn(page, 'eve')
  const secret = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()
  await auditPage(page)
  await page.getByLabel('Code', { exact: true }).fill(timeCodeOf(secret))
  await page.getByRole('button', { name: 'Verify and sign in' }).click()
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('You have successfully logged in.').waitFor()

  await admin.page.goto('/admin/members')
  await admin.page.getByRole('button', { name: 'Actions for The eve' }).click()
  await admin.page.getByRole('menuitem', { name: 'Sign-in' }).click()
  await admin.page.getByText(/10 recovery codes left/).waitFor()
  await auditPage(admin.page)
  await admin.page.getByRole('button', { name: 'Remove the authenticator app' }).click()
  await admin.page.getByRole('button', { name: 'Remove', exact: true }).click()
  await admin.page.getByText('Authenticator app removed').waitFor()
  expect((await page.request.get('/api/user')).status()).toBe(401)

  const leaving = { password: PASSWORD, inDays: 14 }
  await ivy.request.post('/trpc/settings.deleteAccount', { data: leaving })
  await ivy.goto('/auth')
  await logIn(ivy, 'ivy')
  const key = await ivy.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()
  await ivy.getByLabel('Code', { exact: true }).fill(timeCodeOf(key))
  await ivy.getByRole('button', { name: 'Verify and sign in' }).click()
  await ivy.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await ivy.getByRole('button', { name: 'Continue' }).click()
  await ivy.getByRole('button', { name: 'Keep my account' }).click()
  await ivy.getByText('Your account is kept').waitFor()
})
