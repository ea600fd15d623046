import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TimeCodeSetup } from '#shared/schemas/second-factor.schemas.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { setUpDiscordServer } from '#test/support/discord-server.ts'
import { longTest } from '#test/support/long-form.ts'
import { type OidcServer, startOidcServer } from '#test/support/oidc-provider.ts'
import { auditPage, watchLayout } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { timeCodeOf } from '#test/support/time-codes.ts'

const server = setUpHostedSite()
const discord = setUpDiscordServer()
let oidc: OidcServer

beforeAll(async () => {
  oidc = await startOidcServer(server.origin)
  const { page } = await server.open({ viewport: DESKTOP })
  await register(page, 'boss', await server.setupCode())
  await page.goto('/admin/sign-in')
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a provider' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Authentik')
  await dialog.getByLabel('Issuer').fill(oidc.issuer)
  await dialog.getByLabel('Client ID').fill(oidc.clientId)
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(oidc.clientSecret)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your password' })
  await question.getByLabel('Password', { exact: true }).fill('correct horse')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText(/must be asked with https\. An admin can allow it/).waitFor()
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('link', { name: 'Open the settings' }).click()
  const settings = await opened
  const network = settings.getByRole('region', { name: 'Network' })
  await network.getByLabel('Hosts on the local network').fill('127.0.0.1')
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await settings.getByText('Settings saved').waitFor()
  expect(await network.evaluate((section) => section.getBoundingClientRect().top)).toBeLessThan(
    DESKTOP.height,
  )
  await settings.close()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Authentik added').waitFor()
  await page.getByRole('button', { name: 'Addresses for Authentik' }).click()
  expect(await page.getByLabel('Callback address', { exact: true }).inputValue()).toMatch(
    new RegExp(`^${server.origin}/api/auth/provider/\\d+/callback$`),
  )
  const answer = await page.request.post('/trpc/provider.create', {
    data: {
      ...{ kind: 'discord', name: 'Discord', issuer: discord.issuer },
      ...{ clientId: discord.client.id, clientSecret: discord.client.secret, guildId: null },
      ...{ makesAccounts: false, takesProfile: true, roleRules: [] },
    },
  })
  expect(answer.status()).toBe(200)
})

afterAll(() => oidc.stop())

const ann = { preferred_username: 'ann', name: 'Ann Other', email: 'ann@there.example' }

test('a visitor signs up with a provider and comes back to the page that asked', async () => {
  await oidc.signInAs('ann', ann)
  const { page } = await server.open({ viewport: DESKTOP })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Continue with Authentik' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  expect(await page.getByLabel('Username').inputValue()).toBe('ann')
  expect(await page.getByLabel('Email').inputValue()).toBe(ann.email)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/settings')
  await page.getByText('You sign in as @ann.').waitFor()

  // A member without a password confirms with the provider.
  const passwords = page.getByRole('region', { name: 'Password' })
  await passwords.getByLabel('New password').fill('correct horse')
  await passwords.getByLabel('Confirm password').fill('correct horse')
  await passwords.getByRole('button', { name: 'Set password' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByRole('button', { name: 'Confirm with Authentik' }).click()
  await question.waitFor({ state: 'detached' })
  await passwords.getByLabel('New password').fill('correct horse')
  await passwords.getByLabel('Confirm password').fill('correct horse')
  await passwords.getByRole('button', { name: 'Set password' }).click()
  await passwords.getByLabel('Current password').waitFor()
})

longTest('a member links Discord, signs in with it, and unlinks it', async () => {
  discord.signInAs({ id: '500000000000000001', username: 'benny' })
  const { page } = await server.open({ viewport: DESKTOP })
  await register(page, 'ben')
  await page.goto('/settings')
  const linked = page.getByRole('region', { name: 'Linked accounts' })
  await linked.getByRole('button', { name: 'Link Discord' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your password' })
  await question.getByLabel('Password', { exact: true }).fill('correct horse')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await linked.getByText('benny').waitFor()

  const { page: other } = await server.open({ viewport: DESKTOP })
  await other.goto('/auth?next=%2Fsettings')
  await other.getByRole('button', { name: 'Continue with Discord' }).click()
  await other.getByText('You sign in as @ben.').waitFor()

  await linked.getByRole('button', { name: 'Unlink Discord' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await linked.getByRole('button', { name: 'Link Discord' }).waitFor()
})

longTest('a visit that was cancelled shows a sentence above the ways to sign in', async () => {
  await oidc.tell({ kind: 'cancel' })
  const { page } = await server.open({ viewport: PHONE })
  const shifts = await watchLayout(page)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue with Authentik' }).click()
  await page.getByText('You cancelled signing in with Authentik.').waitFor()
  await page.getByRole('button', { name: 'Continue with Discord' }).waitFor()
  expect(await shifts()).toEqual([])
})

longTest('an account for members of a Discord server says why it stays linked', async () => {
  const { page: admin } = await server.open({ viewport: DESKTOP, isNew: true })
  await admin.request.post('/api/login', {
    data: { username: 'boss', password: 'correct horse', rememberMe: false },
  })
  await call(admin, 'settings.confirmPassword', { password: 'correct horse' })
  const { providers } = await ask<{ providers: { id: number; kind: string }[] }>(
    admin,
    'signIn.ways',
  )
  const id = providers.find(({ kind }) => kind === 'discord')?.id
  const user = { id: '500000000000000003', username: 'jan' }
  discord.signInAs(user)
  discord.setMember({ guildId: '111111111111111111', id: user.id }, [])
  await call(admin, 'provider.edit', { id, guildId: '111111111111111111' })
  const { page } = await server.open({ viewport: PHONE })
  await page.goto('/auth?next=%2Fsettings')
  await page.getByRole('button', { name: 'Continue with Discord' }).click()
  await page.getByLabel('Email').fill('jan@there.example')
  await page.getByRole('button', { name: 'Create account' }).click()
  const linked = page.getByRole('region', { name: 'Linked accounts' })
  await linked
    .getByText('Your account was created for members of a Discord server, so only an admin')
    .waitFor()
  expect(await linked.getByRole('button', { name: 'Unlink Discord' }).count()).toBe(0)
  await auditPage(page)
  await call(admin, 'provider.edit', { id, guildId: null })
})

longTest('an account of somebody else cannot be linked', async () => {
  discord.signInAs({ id: '500000000000000002', username: 'cid' })
  const { page } = await server.open({ viewport: DESKTOP })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue with Discord' }).click()
  await page.getByLabel('Email').fill('cid@there.example')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${server.origin}/`)

  const { page: other } = await server.open({ viewport: DESKTOP })
  await register(other, 'dan')
  await other.goto('/settings')
  await other.getByRole('button', { name: 'Link Discord' }).click()
  const question = other.getByRole('dialog', { name: 'Confirm your password' })
  await question.getByLabel('Password', { exact: true }).fill('correct horse')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await other.getByText('This Discord account is linked to another member here.').waitFor()
})

longTest('asks for the second factor also where only admins have passwords', async () => {
  const { page: admin } = await server.open({ viewport: DESKTOP, isNew: true })
  await register(admin, 'boss')
  await call(admin, 'settings.confirmPassword', { password: 'correct horse' })
  await oidc.signInAs('eve', { preferred_username: 'eve', name: 'Eve', email: 'eve@there.example' })
  const { page } = await server.open({ viewport: PHONE, isNew: true })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue with Authentik' }).click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${server.origin}/`)
  await call(page, 'settings.confirmPassword')
  const { secret } = await call<TimeCodeSetup>(page, 'security.beginTimeCodes')
  await call(page, 'security.confirmTimeCodes', { code: timeCodeOf(secret, -1) })
  await page.request.post('/api/logout')

  await call(admin, 'signIn.edit', { passwordsFor: 'admins' })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue with Authentik' }).click()
  await page.getByLabel('Code', { exact: true }).fill(timeCodeOf(secret))
  await page.keyboard.press('Enter')
  await page.getByText('You have successfully logged in.').waitFor()
  await page.goto('/settings#password')
  const passwords = page.getByRole('region', { name: 'Password' })
  await passwords.getByText('Only admins sign in with a password here, so you need none.').waitFor()
  expect(await passwords.getByLabel('New password').count()).toBe(0)
  await call(admin, 'signIn.edit', { passwordsFor: 'everybody' })
})

longTest(
  'stand above or below the form as the admin says, with one box to stay logged in',
  async () => {
    const { page: admin } = await server.open({ viewport: DESKTOP, isNew: true })
    await register(admin, 'boss')
    await call(admin, 'settings.confirmPassword', { password: 'correct horse' })
    const { page } = await server.open({ viewport: PHONE, isNew: true })
    const button = page.getByRole('button', { name: 'Continue with Authentik' })
    const login = page.getByRole('button', { name: 'Login', exact: true })
    const box = page.getByRole('checkbox')
    const show = async (settings: object) => {
      await call(admin, 'signIn.edit', settings)
      await page.goto('/auth')
      await button.waitFor()
      expect(await box.count()).toBe(1)
    }
    const isAbove = async () =>
      ((await button.boundingBox())?.y ?? 0) < ((await login.boundingBox())?.y ?? 0)
    await show({ providersFirst: false })
    expect(await isAbove()).toBe(false)
    await show({ providersFirst: true })
    expect(await isAbove()).toBe(true)
    await show({ providersFirst: false, passwordsFor: 'admins' })
    expect(await login.count()).toBe(0)
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    await login.waitFor()
    expect([await isAbove(), await box.count()]).toEqual([true, 1])
    await call(admin, 'signIn.edit', { passwordsFor: 'everybody' })
  },
)

async function call<Result>(page: Page, name: string, data: object = {}): Promise<Result> {
  const answer = await page.request.post(`/trpc/${name}`, { data })
  expect([name, answer.status()]).toEqual([name, 200])
  return (await answer.json()).result.data
}

async function ask<Result>(page: Page, name: string): Promise<Result> {
  const answer = await page.request.get(`/trpc/${name}`)
  expect([name, answer.status()]).toEqual([name, 200])
  return (await answer.json()).result.data
}
