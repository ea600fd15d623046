import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sessionIdOf } from '#server/account/auth/lucia.ts'
import { noteEnvironmentProviders } from '#server/account/provider/provider.service.ts'
import { askAgain } from '#server/account/provider/provider-exchange.ts'
import { readConfig } from '#server/platform/config.ts'
import type { AdminSettings } from '#shared/schemas/desk/site.schemas.ts'
import type { LinkedAccounts, Provider, ProviderOutcome } from '#shared/schemas/provider.schemas.ts'
import type {
  CreationOptions,
  Factors,
  TimeCodeSetup,
} from '#shared/schemas/second-factor.schemas.ts'
import { makeAuthenticator } from '#test/support/authenticator.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { setUpOidcServer } from '#test/support/oidc-provider.ts'
import { makePng } from '#test/support/png.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { ORIGIN, openBrowser } from '#test/support/provider-visits.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite } from '#test/support/test-site.ts'
import { enterStep, timeCodeOf } from '#test/support/time-codes.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const oidc = setUpOidcServer(ORIGIN)
const { ask, refusal } = callsOf(site)

let id: number

const fields = () => ({
  ...{ kind: 'oidc', name: 'Authentik', issuer: oidc.issuer, clientId: oidc.clientId },
  ...{ clientSecret: oidc.clientSecret, makesAccounts: false, takesProfile: false },
  ...{ guildId: null, roleRules: [] },
})

beforeAll(async () => {
  await ask(admin, 'site.edit', { localHosts: ['127.0.0.1', 'localhost'] })
  id = (await ask<{ id: number }>(admin, 'provider.create', fields())).id
})

beforeEach(async () => {
  await oidc.tell({ kind: 'change-tokens', change: undefined })
  await site.db.updateTable('siteSettings').set({ registration: 'open' }).execute()
})

const EXPIRED = 'This sign-in has expired or was completed before. Please start again.'
const FOREIGN = 'The answer of Authentik does not belong to this sign-in. Please start again.'
let people = 0

/** Creates an account for a new person at the provider. */
async function signUp(name = `person${++people}`) {
  await oidc.signInAs(name, { preferred_username: name, name, email: `${name}@there.example` })
  const browser = openBrowser(site)
  expect(await browser.go({ id })).toBe('/auth?step=provider')
  const outcome = await browser.ask<ProviderOutcome>('provider.outcome')
  if (outcome.kind !== 'register') throw new Error(outcome.sentence)
  const { username, email, displayName } = outcome
  await browser.ask('provider.register', { username, email, displayName })
  return {
    browser,
    name,
    member: await site.db
      .selectFrom('users')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirstOrThrow(),
  }
}

describe('a first sign-in', () => {
  test('asks for a username and makes an account without a password', async () => {
    await site.addMember('marc')
    await oidc.signInAs('m-1', {
      preferred_username: 'Marc',
      name: 'Marc Müller',
      email: 'marc.mueller@there.example',
      email_verified: true,
    })
    const browser = openBrowser(site)
    const page = await browser.go({ id, next: '/video/3?t=4', rememberMe: true })
    expect(page).toBe('/auth?step=provider')
    expect(await browser.ask('provider.outcome')).toEqual({
      kind: 'register',
      provider: 'Authentik',
      username: 'Marc2',
      displayName: 'Marc Müller',
      email: 'marc.mueller@there.example',
    })
    expect(await browser.user()).toBeUndefined()
    const account = { username: 'Marc2', email: 'marc.mueller@there.example', displayName: 'MM' }
    const made = await browser.ask('provider.register', account)
    expect(made).toMatchObject({ user: { username: 'Marc2' }, next: '/video/3?t=4' })
    expect(await browser.user()).toBe('Marc2')
    const login = { username: 'Marc2', password: '      ' }
    expect(await refusal(undefined, 'auth.login', login)).toMatch(/^401 /)
    expect((await browser.call('provider.register', account)).statusCode).toBe(422)
  })

  test('follows registration: closed, by invite, or for everybody whom the provider knows', async () => {
    await site.db.updateTable('siteSettings').set({ registration: 'closed' }).execute()
    await oidc.signInAs('newcomer', { name: 'Newcomer', email: 'newcomer@there.example' })
    const browser = openBrowser(site)
    expect(await browser.go({ id })).toBe('/auth?step=provider')
    expect(await browser.sentence()).toBe('Registration is closed on this site.')

    await site.db.updateTable('siteSettings').set({ registration: 'invite' }).execute()
    await browser.go({ id })
    expect(await browser.sentence()).toBe('You need an invite link to register here.')
    const invite = await ask<{ code: string }>(admin, 'invite.create', {
      uses: 1,
      days: 1,
      note: '',
    })
    await browser.go({ id, invite: invite.code })
    const account = {
      username: 'newcomer',
      email: 'newcomer@there.example',
      displayName: 'Newcomer',
    }
    await browser.ask('provider.register', account)
    const used = openBrowser(site)
    await oidc.signInAs('another', { name: 'Another' })
    await used.go({ id, invite: invite.code })
    expect(await used.sentence()).toMatch(/^This invite link is used up/)

    await ask(admin, 'provider.edit', { id, makesAccounts: true })
    await used.go({ id })
    expect(await used.ask('provider.outcome')).toMatchObject({ kind: 'register', email: '' })
    await ask(admin, 'provider.edit', { id, makesAccounts: false })
  })

  test('never links the account of a member with the same email', async () => {
    const ann = await site.addMember('ann')
    await oidc.signInAs('false-ann', {
      preferred_username: 'ann',
      email: 'ann@example.org',
      email_verified: true,
    })
    const browser = openBrowser(site)
    await browser.go({ id })
    expect(await browser.sentence()).toBe(
      'There is an account with the email address of your Authentik account. Sign in to it, and link Authentik in the settings.',
    )
    expect(await browser.user()).toBeUndefined()
    // An unverified email may be made up, so the answer is the same for one that nobody has.
    for (const email of ['nobody@example.org', 'ann@example.org']) {
      await oidc.signInAs('false-ann', { preferred_username: 'ann', email })
      await browser.go({ id })
      expect(await browser.ask('provider.outcome')).toMatchObject({ username: 'ann2', email })
    }
    const account = { username: 'ann2', email: 'ann@example.org', displayName: 'Ann' }
    expect((await browser.call('provider.register', account)).statusCode).toBe(409)
    const linked = await ask<LinkedAccounts>(ann, 'provider.linked')
    expect(linked.identities).toEqual([])
  })
})

describe('a later sign-in', () => {
  test('begins a session, ends the one before it, and goes on with the page that was asked for', async () => {
    const { name, browser, member } = await signUp()
    const first = browser.jar.get('clutch')
    expect(await browser.go({ id, next: '/settings' })).toBe('/settings')
    expect(await browser.user()).toBe(name)
    expect(browser.jar.get('clutch')).not.toBe(first)
    expect(browser.jar.has('clutch-sign-in')).toBe(false)
    const sessions = await site.db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', member.id)
      .execute()
    expect(sessions).toHaveLength(1)
    expect(sessions[0]).toMatchObject({ method: 'provider', providerId: id })
    expect(sessions[0]?.providerSession).toEqual(expect.any(String))
    const log = await ask<{ items: object[] }>(admin, 'audit.list', { action: 'member.login' })
    expect(log.items[0]).toMatchObject({ actorName: name })
  })

  longTest('leads to no other site', async () => {
    const { browser } = await signUp()
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'evil']) {
      expect(await browser.go({ id, next })).toBe('/')
    }
  })

  test('to an account that will be deleted keeps it, in a session of the provider', async () => {
    const { browser, name, member } = await signUp()
    await browser.go({ id, purpose: 'confirm' })
    await browser.ask('settings.deleteAccount', { inDays: 14 })
    expect(await browser.user()).toBeUndefined()
    expect(await browser.go({ id, next: '/settings' })).toBe('/auth?next=%2Fsettings#leaving')
    expect(await browser.user()).toBeUndefined()
    await browser.ask('auth.keepAccount')
    expect(await browser.user()).toBe(name)
    const [session] = await listRows(site.db, 'sessions', { userId: member.id })
    expect(session).toMatchObject({ method: 'provider', providerId: id })
    expect(session?.providerSession).toEqual(expect.any(String))
  })

  test('is refused for a banned member, with the reason', async () => {
    const { browser, member } = await signUp()
    await ask(admin, 'moderation.ban', { userId: member.id, reason: 'Spam', deletesContent: false })
    expect(await browser.go({ id })).toBe('/auth?step=provider')
    expect(await browser.sentence()).toBe('This account is banned. The reason: Spam')
    expect(await browser.user()).toBeUndefined()
  })
})

describe('with a second factor', () => {
  const addCodes = async ({ browser }: Awaited<ReturnType<typeof signUp>>) => {
    await browser.go({ id, purpose: 'confirm' })
    const { secret } = await browser.ask<TimeCodeSetup>('security.beginTimeCodes')
    await enterStep()
    await browser.ask('security.confirmTimeCodes', { code: timeCodeOf(secret, -1) })
    const code = () => timeCodeOf(secret)
    return { code, finish: () => browser.ask('auth.finishSignIn', { code: code() }) }
  }
  const nameOf = (member: { id: number }) => readRow(site.db, 'users', { id: member.id })

  test('the name is taken over, and the provider ends the session, also before it begins', async () => {
    const person = await signUp()
    const { browser, name, member } = person
    const { finish } = await addCodes(person)
    await ask(admin, 'provider.edit', { id, takesProfile: true })
    let requests = 0
    const elsewhere = createServer((_, response) => {
      requests++
      response.end(makePng(64, 64))
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    // Listed, but not the provider's: members may choose the address of their picture.
    const picture = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    const claims = { name: `${name} renamed`, email: `${name}@there.example`, picture }
    await oidc.signInAs(name, claims)
    browser.jar.delete('clutch')
    expect(await browser.go({ id, next: '/settings' })).toBe('/auth?next=%2Fsettings#second-factor')
    expect(await browser.user()).toBeUndefined()
    await ask(admin, 'provider.edit', { id, takesProfile: false })
    elsewhere.close()
    expect(requests).toBe(0)
    expect(await nameOf(member)).toMatchObject({ displayName: claims.name, avatarUrl: null })
    await finish()
    expect(await browser.user()).toBe(name)
    const [session] = await listRows(site.db, 'sessions', { userId: member.id })
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const iat = Math.floor(Date.now() / 1000)
    const token = { jti: 'x', events, iat, sub: name }
    const logOut = async (more: object = {}) =>
      site.post(`/api/auth/provider/${id}/logout`, {
        payload: new URLSearchParams({
          logout_token: await oidc.tell({ kind: 'sign', claims: { ...token, ...more } }),
        }).toString(),
        headers: FORM,
      })
    expect((await logOut({ sid: session?.providerSession })).statusCode).toBe(200)
    expect(await browser.user()).toBeUndefined()

    await browser.go({ id })
    await logOut({ sid: 'of this visit' })
    expect((await browser.call('auth.finishSignIn', { code: '000000' })).statusCode).toBe(401)
    expect(await listRows(site.db, 'signInSteps', { userId: member.id })).toEqual([])
  })

  test('the provider does not confirm who it is, the code does', async () => {
    const person = await signUp()
    const { browser, member } = person
    const { finish } = await addCodes(person)
    await browser.ask('auth.logout')
    await browser.go({ id })
    await finish()
    expect(await browser.ask('settings.confirmWays')).toMatchObject({ code: true, provider: false })
    expect(await browser.go({ id, purpose: 'confirm' })).toBe('/settings?step=provider#sign-in')
    expect(await browser.sentence()).toBe(
      'Your account has two-step sign-in. Confirm with a code or your passkey.',
    )
    const [session] = await listRows(site.db, 'sessions', { userId: member.id })
    expect(session).toMatchObject({ confirmedAt: null })
  })

  test('the code alone confirms where a password signs no member in', async () => {
    const person = await signUp()
    const { browser } = person
    await browser.go({ id, purpose: 'confirm' })
    await browser.ask('settings.setPassword', { newPassword: 'forgotten horse' })
    const { code } = await addCodes(person)
    expect(await browser.ask('settings.confirmWays')).toMatchObject({ password: true, code: true })
    const allow = (passwordsFor: 'everybody' | 'admins') =>
      changeRows(site.db, 'signInSettings', { where: {}, values: { passwordsFor } })
    await allow('admins')
    try {
      const ways = { password: false, code: true, provider: false }
      expect(await browser.ask('settings.confirmWays')).toMatchObject(ways)
      await browser.ask('settings.confirmPassword', { code: code() })
    } finally {
      await allow('everybody')
    }
  })

  test('that is required, a newcomer sets it up after the account is made', async () => {
    const rule = (secondFactorFor: 'everybody' | 'nobody') =>
      changeRows(site.db, 'signInSettings', { where: {}, values: { secondFactorFor } })
    await rule('everybody')
    try {
      await oidc.signInAs('enrolling', { preferred_username: 'enrolling' })
      const browser = openBrowser(site)
      await browser.go({ id })
      const account = { username: 'enrolling', email: 'e@there.example', displayName: 'Enrolling' }
      const answer = await browser.call('provider.register', account)
      expect(answer.json().error.data).toMatchObject({ secondFactor: { enrol: true } })
      const { setup } = await browser.ask<{ setup: TimeCodeSetup }>('auth.pendingStep')
      await enterStep()
      await browser.ask('auth.finishEnrolment', { code: timeCodeOf(setup.secret) })
      expect(await browser.user()).toBe('enrolling')
    } finally {
      await rule('nobody')
    }
  })
})

describe('no way in is', () => {
  test('an answer that was used before, or that another browser asked for', async () => {
    await signUp('replayed')
    const browser = openBrowser(site)
    const callback = await browser.visit(await browser.begin({ id }))
    const stranger = openBrowser(site)
    expect(await stranger.end(callback)).toBe('/auth?step=provider')
    expect(await stranger.sentence()).toBe(EXPIRED)
    expect(await browser.end(callback)).toBe('/')
    browser.jar.delete('clutch')
    expect(await browser.end(callback)).toBe('/auth?step=provider')
    expect(await browser.sentence()).toBe(EXPIRED)
    // Sends the code of a used answer in a new visit of the same browser.
    const next = await browser.visit(await browser.begin({ id }))
    next.searchParams.set('code', callback.searchParams.get('code') ?? '')
    await browser.end(next)
    expect(await browser.sentence()).toBe(EXPIRED)
    expect(await browser.user()).toBeUndefined()
  })

  test.each([
    ['state', 'state', 'made-up'],
    ['issuer', 'iss', 'https://other.example'],
  ])('an answer with another %s', async (_, parameter, value) => {
    await signUp()
    const browser = openBrowser(site)
    const callback = await browser.visit(await browser.begin({ id }))
    callback.searchParams.set(parameter, value)
    await browser.end(callback)
    expect(await browser.sentence()).toBe(FOREIGN)
  })

  const day = 24 * 60 * 60
  const now = Math.floor(Date.now() / 1000)
  const clocks = 'The clocks of this site and of Authentik differ. Tell an admin.'
  const tokens = [
    ['without a signature', { algorithm: 'none' }, FOREIGN],
    ['signed with the secret', { algorithm: 'HS256' }, FOREIGN],
    ['signed by somebody else', { algorithm: 'foreign' }, FOREIGN],
    ['for another client', { algorithm: 'RS256', claims: { aud: 'other' } }, FOREIGN],
    ['with the nonce of another visit', { algorithm: 'RS256', claims: { nonce: 'old' } }, FOREIGN],
    ['of another issuer', { algorithm: 'RS256', claims: { iss: 'https://o.example' } }, FOREIGN],
    ['of yesterday', { algorithm: 'RS256', claims: { iat: now - day, exp: now - day } }, clocks],
    ['of tomorrow', { algorithm: 'RS256', claims: { iat: now + day, nbf: now + day } }, clocks],
  ] as const
  const shown = ['without a signature', 'for another client', 'of yesterday']
  test.each(quickCases(tokens, [...shown, 'with the nonce of another visit']))(
    'a token %s',
    async (_, change, sentence) => {
      await signUp()
      await oidc.tell({ kind: 'change-tokens', change })
      const browser = openBrowser(site)
      expect(await browser.go({ id })).toBe('/auth?step=provider')
      expect(await browser.sentence()).toBe(sentence)
      expect(await browser.user()).toBeUndefined()
    },
  )

  test('a visit that was cancelled', async () => {
    await oidc.tell({ kind: 'cancel' })
    const browser = openBrowser(site)
    expect(await browser.go({ id, next: '/settings' })).toBe('/auth?step=provider&next=%2Fsettings')
    expect(await browser.sentence()).toBe('You cancelled signing in with Authentik.')
  })

  test('a provider with another secret, or one that is gone', async () => {
    await signUp()
    await ask(admin, 'provider.edit', { id, clientSecret: 'wrong' })
    const browser = openBrowser(site)
    await browser.go({ id })
    expect(await browser.sentence()).toBe(
      'Authentik does not accept this site: its client ID or secret is wrong. Tell an admin.',
    )
    await ask(admin, 'provider.edit', { id, clientSecret: oidc.clientSecret })
    const callback = await browser.visit(await browser.begin({ id }))
    await oidc.whileDown(async () => {
      await browser.end(callback)
      expect(await browser.sentence()).toBe(
        'Authentik cannot be reached at the moment. Please try again later.',
      )
      await ask(admin, 'provider.edit', { id, name: 'Authentik', makesAccounts: false })
      expect(await refusal(admin, 'provider.edit', { id, clientSecret: 'other' })).toBe(
        `422 The provider cannot be used: ${new URL(oidc.issuer).host} cannot be reached.`,
      )
    })
  })
})

test('a provider that is down is not asked again for 30 seconds, except by an admin who adds it', async () => {
  const begin = () => openBrowser(site).call('provider.begin', { id, purpose: 'sign-in' })
  const down = 'Authentik cannot be reached at the moment. Please try again later.'
  const create = () => refusal(admin, 'provider.create', fields())
  // The cached configuration has expired.
  const then = Date.now() + 2 * 60 * 60_000
  const setClock = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    await oidc.whileDown(async () => {
      expect(await create()).toMatch(/^422 The provider cannot be used/)
      setClock(then)
      expect((await begin()).json().error.message).toBe(down)
    })
    setClock(then + 29_000)
    expect((await begin()).json().error.message).toBe(down)
    setClock(then + 31_000)
    expect((await begin()).statusCode).toBe(200)
  } finally {
    vi.useRealTimers()
  }
  const added = await ask<{ id: number }>(admin, 'provider.create', fields())
  await ask(admin, 'provider.remove', added)
})

test('a confirmation asks each provider in a way that it takes', () => {
  const google = { kind: 'oidc', issuer: 'https://accounts.google.com' } as const
  expect(askAgain(google)).toEqual({ prompt: 'select_account' })
  expect(askAgain({ ...google, issuer: oidc.issuer })).toEqual({ prompt: 'login', max_age: '0' })
  expect(askAgain({ ...google, kind: 'discord' })).toEqual({ prompt: 'consent' })
})

test('a provider that changes its keys goes on', async () => {
  const { browser } = await signUp()
  await oidc.tell({ kind: 'change-keys' })
  expect(await browser.go({ id, next: '/settings' })).toBe('/settings')
})

describe('a linked account', () => {
  test('is linked after the password, opens the account, and is unlinked', async () => {
    const ben = await site.addMember('ben', { isConfirmed: false, passwordHash: 'some' })
    await oidc.signInAs('ben-there', { preferred_username: 'benny' })
    const browser = openBrowser(site, ben)
    const asked = await browser.call('provider.begin', { id, purpose: 'link' })
    expect(asked.json().error.data).toMatchObject({ httpStatus: 403, needsPassword: true })
    await confirm(ben.id)
    expect(await browser.go({ id, purpose: 'link' })).toBe('/settings#sign-in')
    const linked = await browser.ask<LinkedAccounts>('provider.linked')
    expect(linked).toMatchObject({
      identities: [{ name: 'benny', provider: { id, name: 'Authentik' } }],
    })
    expect(await browser.ask('security.factors')).toMatchObject({ hasPassword: true })
    const elsewhere = openBrowser(site)
    expect(await elsewhere.go({ id })).toBe('/')
    expect(await elsewhere.user()).toBe('ben')
    await browser.ask('provider.unlink', { id: linked.identities[0]?.id })
    await elsewhere.go({ id })
    expect(await elsewhere.ask('provider.outcome')).toMatchObject({ kind: 'register' })
  })

  test('of somebody else is refused, and a second one of the same provider', async () => {
    const { name, browser: owner, member } = await signUp()
    const cid = await site.addMember('cid')
    const browser = openBrowser(site, cid)
    expect(await browser.go({ id, purpose: 'link' })).toBe('/settings?step=provider#sign-in')
    expect(await browser.sentence()).toBe(
      'This Authentik account is linked to another member here.',
    )
    await confirm(member.id)
    owner.signOutThere()
    await oidc.signInAs(`${name}-second`, {})
    await owner.go({ id, purpose: 'link' })
    expect(await owner.sentence()).toBe(
      'You have linked another Authentik account. Unlink it first.',
    )
  })

  test('is linked in the session that asked only', async () => {
    const dan = await site.addMember('dan')
    const eve = await site.addMember('eve')
    await oidc.signInAs('for-dan', {})
    const browser = openBrowser(site, dan)
    const callback = await browser.visit(await browser.begin({ id, purpose: 'link' }))
    browser.jar.set('clutch', eve.cookie.replace('clutch=', ''))
    await browser.end(callback)
    expect(await browser.sentence()).toBe('You have been signed out. Please sign in again.')
  })

  test('that is the only way in stays, and confirms who it is in place of a password', async () => {
    const { browser, name, member } = await signUp()
    const { identities } = await browser.ask<LinkedAccounts>('provider.linked')
    expect(await browser.ask('security.factors')).toMatchObject({ hasPassword: false })
    const unlink = { id: identities[0]?.id }
    expect((await browser.call('provider.unlink', unlink)).statusCode).toBe(403)
    const where = { userId: member.id }
    const values = { createdAt: new Date(Date.now() - 11 * 60_000).toISOString() }
    await changeRows(site.db, 'sessions', { where, values })
    const early = await browser.call('settings.confirmPassword', {})
    expect(early.json().error.message).toBe(
      'Confirm with your passkey or linked account, or log out and sign in again.',
    )
    expect(await browser.go({ id, purpose: 'confirm', next: '/settings#sign-in' })).toBe(
      '/settings#sign-in',
    )
    expect((await browser.call('provider.unlink', unlink)).json().error.message).toBe(
      'This is your only way to sign in. Set a password first.',
    )
    await browser.ask('settings.setPassword', { newPassword: 'correct horse' })
    const login = { username: name, password: 'correct horse' }
    expect(await ask(undefined, 'auth.login', login)).toMatchObject({ username: name })
    // Changing the password began a new session.
    await browser.go({ id, purpose: 'confirm' })
    expect(
      (await browser.call('settings.setPassword', { newPassword: 'another' })).statusCode,
    ).toBe(409)
    await browser.ask('provider.unlink', unlink)
  })

  test('deletes the account after a confirmation at the provider', async () => {
    const { browser, member } = await signUp()
    const refused = await browser.call('settings.deleteAccount', {})
    expect(refused.json().error.data).toMatchObject({ httpStatus: 403, needsPassword: true })
    await browser.go({ id, purpose: 'confirm' })
    await browser.ask('settings.deleteAccount', {})
    const rows = site.db.selectFrom('identities').select('id').where('userId', '=', member.id)
    expect(await rows.execute()).toEqual([])
  })

  test('can be unlinked where a passkey signs in, which then stays', async () => {
    const { browser, member } = await signUp()
    const passkey = makeAuthenticator()
    await browser.go({ id, purpose: 'confirm' })
    const options = await browser.ask<CreationOptions>('security.beginPasskey')
    await browser.ask('security.addPasskey', { name: 'Phone', passkey: passkey.register(options) })
    const { identities } = await browser.ask<LinkedAccounts>('provider.linked')
    await browser.ask('provider.unlink', { id: identities[0]?.id })
    const { passkeys } = await browser.ask<Factors>('security.factors')
    expect(
      (await browser.call('security.removePasskey', { id: passkeys[0]?.id })).json().error.message,
    ).toBe('This is your only way to sign in. Set a password first.')
    const told = await listRows(site.db, 'notifications', { userId: member.id })
    expect(told.map(({ title }) => title)).toContain('Authentik was unlinked')
  })

  test('is linked in a session that was confirmed again meanwhile', async () => {
    const gil = await site.addMember('gil')
    await oidc.signInAs('gil-there', {})
    const browser = openBrowser(site, gil)
    const callback = await browser.visit(await browser.begin({ id, purpose: 'link' }))
    const token = 'a later token of the same session'
    await changeRows(site.db, 'sessions', {
      where: { userId: gil.id },
      values: { id: sessionIdOf(token), confirmedAt: null },
    })
    browser.jar.set('clutch', token)
    await browser.end(callback)
    expect(await browser.sentence()).toBe('Please confirm your password first.')

    await confirm(gil.id)
    const again = await browser.visit(await browser.begin({ id, purpose: 'link' }))
    const later = 'the token after a further confirmation'
    await changeRows(site.db, 'sessions', {
      where: { userId: gil.id },
      values: { id: sessionIdOf(later) },
    })
    browser.jar.set('clutch', later)
    expect(await browser.end(again)).toBe('/settings#sign-in')
    const told = await listRows(site.db, 'notifications', { userId: gil.id })
    expect(told.map(({ title }) => title)).toEqual(['Authentik was linked'])
  })

  test('of another person does not confirm, nor an old sign-in at the provider', async () => {
    const { browser, name } = await signUp()
    await oidc.tell({
      kind: 'change-tokens',
      change: { algorithm: 'RS256', claims: { auth_time: 1_700_000_000 } },
    })
    expect(await browser.go({ id, purpose: 'confirm' })).toBe('/settings?step=provider#sign-in')
    expect(await browser.sentence()).toBe('Authentik did not ask you to sign in again.')
    await oidc.tell({ kind: 'change-tokens', change: undefined })
    browser.signOutThere()
    await oidc.signInAs(`not-${name}`, {})
    await browser.go({ id, purpose: 'confirm' })
    expect(await browser.sentence()).toBe(
      'This is not the Authentik account that is linked to yours.',
    )
    const { identities } = await browser.ask<LinkedAccounts>('provider.linked')
    expect((await browser.call('provider.unlink', { id: identities[0]?.id })).statusCode).toBe(403)
  })
})

const confirm = (userId: number) =>
  site.db
    .updateTable('sessions')
    .set({ confirmedAt: new Date().toISOString() })
    .where('userId', '=', userId)
    .execute()

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('back-channel logout', () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const now = () => Math.floor(Date.now() / 1000)
  const send = async (claims: Record<string, unknown>) => {
    const token = await oidc.tell<string>({ kind: 'sign', claims: { jti: 'x', ...claims } })
    return sendToken(token)
  }
  const sendToken = (token: string) =>
    site.post(`/api/auth/provider/${id}/logout`, {
      payload: new URLSearchParams({ logout_token: token }).toString(),
      headers: FORM,
    })

  test('ends the sessions of that session at the provider, or all of the account', async () => {
    const { name, browser, member } = await signUp()
    const other = openBrowser(site)
    await other.go({ id })
    const { providerSession: sid } = await site.db
      .selectFrom('sessions')
      .select('providerSession')
      .where('userId', '=', member.id)
      .orderBy('createdAt')
      .executeTakeFirstOrThrow()
    const answer = await send({ sub: name, sid, events, iat: now() })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect([await browser.user(), await other.user()]).toEqual([undefined, name])
    expect((await send({ sub: name, events, iat: now() })).statusCode).toBe(200)
    expect(await other.user()).toBeUndefined()
  })

  test('ends a session also after its member has set and changed a password', async () => {
    const { name, browser } = await signUp()
    await browser.go({ id, purpose: 'confirm' })
    await browser.ask('settings.setPassword', { newPassword: 'correct horse' })
    const passwords = { currentPassword: 'correct horse', newPassword: 'battery staple' }
    await browser.ask('settings.changePassword', passwords)
    expect(await browser.user()).toBe(name)
    expect((await send({ sub: name, events, iat: now() })).statusCode).toBe(200)
    expect(await browser.user()).toBeUndefined()
  })

  test('asks once in 30 seconds for keys that cannot be read', async () => {
    const { name } = await signUp()
    const then = Date.now() + 11 * 60_000
    const sendAt = async (time: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: time })
      return (await send({ sub: name, events, iat: now() })).statusCode
    }
    try {
      const token = await oidc.tell<string>({
        kind: 'sign',
        claims: { jti: 'x', sub: name, events, iat: Math.floor(then / 1000) },
      })
      await oidc.whileDown(async () => {
        vi.useFakeTimers({ toFake: ['Date'], now: then })
        expect((await sendToken(token)).statusCode).toBe(503)
      })
      expect(await sendAt(then + 29_000)).toBe(503)
      // The provider has new keys because it was restarted.
      expect(await sendAt(then + 31_000)).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  test('takes many at once, as a provider sends one for each session', async () => {
    const limited = await openTestSite({ rateLimitScale: 1 })
    try {
      const request = { payload: 'logout_token=x', headers: FORM }
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => limited.post('/api/auth/provider/1/logout', request)),
      )
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
    } finally {
      await limited.close()
    }
  })

  test('refuses what is no logout token of this provider for this site', async () => {
    const { name, browser } = await signUp()
    const right = { sub: name, events, iat: now() }
    const wrong = [
      { ...right, events: undefined },
      { ...right, nonce: 'a nonce' },
      { ...right, aud: 'other' },
      { ...right, iss: 'https://other.example' },
      { ...right, iat: now() - 3600 },
      { ...right, sub: undefined },
    ]
    for (const claims of wrong) expect((await send(claims)).statusCode).toBe(400)
    const [, payload] = (await oidc.tell<string>({ kind: 'sign', claims: right })).split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect((await sendToken(`${none}.${payload}.`)).statusCode).toBe(400)
    expect((await sendToken('junk')).statusCode).toBe(400)
    expect(await browser.user()).toBe(name)
  })
})

describe('the desk', () => {
  test('lists providers with their callback and without their secret', async () => {
    const answer = await callsOf(site).call(admin, 'provider.list')
    expect(answer.body).not.toContain(oidc.clientSecret)
    const [provider] = answer.json().result.data as Provider[]
    expect(provider).toMatchObject({
      name: 'Authentik',
      source: 'desk',
      callbackUrl: `${ORIGIN}/api/auth/provider/${id}/callback`,
    })
    expect(provider?.onlyWayCount).toBeGreaterThan(0)
    const counted = async () =>
      (await ask<Provider[]>(admin, 'provider.list')).find((one) => one.id === id)?.onlyWayCount
    const before = Number(await counted())
    const { browser } = await signUp()
    expect(await counted()).toBe(before + 1)
    await browser.go({ id, purpose: 'confirm' })
    const options = await browser.ask<CreationOptions>('security.beginPasskey')
    const passkey = makeAuthenticator().register(options)
    await browser.ask('security.addPasskey', { name: 'Phone', passkey })
    expect(await counted()).toBe(before)
  })

  test('refuses an address where no provider is, the local network unless listed, and another address or client', async () => {
    const wrong = (more: object) => refusal(admin, 'provider.create', { ...fields(), ...more })
    const { localHosts } = await ask<AdminSettings>(admin, 'site.adminSettings')
    await ask(admin, 'site.edit', { localHosts: [] })
    const { host } = new URL(oidc.issuer)
    const allow = "An admin can allow it in the site's settings: 'Hosts on the local network'."
    expect(await wrong({})).toBe(
      `422 The provider cannot be used: ${host} must be asked with https. ${allow}`,
    )
    const issuer = oidc.issuer.replace('http:', 'https:')
    const input = { ...fields(), issuer }
    const refused = await callProcedure(site, { as: admin, name: 'provider.create', input })
    expect(refused.json().error).toMatchObject({
      message: `The provider cannot be used: ${host} is on the local network. ${allow}`,
      data: { httpStatus: 422, unlistedHost: host },
    })
    await ask(admin, 'site.edit', { localHosts })
    expect(await wrong({ issuer: `${oidc.issuer}/none` })).toBe(
      `422 No OpenID configuration was found at ${oidc.issuer}/none/.well-known/openid-configuration.`,
    )
    const slash = await wrong({ issuer: oidc.issuer.replace('127.0.0.1', 'localhost') })
    expect(slash).toBe(`422 The provider calls itself ${oidc.issuer}. Enter this address.`)
    expect(await refusal(admin, 'provider.edit', { id, issuer: 'https://o.example' })).toMatch(
      /^409 Members sign in with this provider/,
    )
    expect(await refusal(admin, 'provider.edit', { id, clientId: 'other' })).toBe(
      '409 Members sign in with this provider. Add the other client ID as a new provider.',
    )
    const unused = await ask<{ id: number }>(admin, 'provider.create', fields())
    await ask(admin, 'provider.edit', { id: unused.id, clientId: 'other' })
    await ask(admin, 'provider.remove', unused)
  })

  test('takes passwords from members while there is a provider, never from admins', async () => {
    const { hashPassword } = await import('#server/account/auth/password.ts')
    const passwordHash = await hashPassword('correct horse')
    await site.addMember('fay', { passwordHash })
    const setPasswords = (password: string) =>
      changeRows(site.db, 'users', { where: { isAdmin: 1 }, values: { password } })
    await setPasswords('')
    expect(await refusal(admin, 'signIn.edit', { passwordsFor: 'admins' })).toMatch(
      /^409 No admin has a password/,
    )
    await setPasswords('some')
    await site.addMember('boss', { passwordHash, isAdmin: true })
    await ask(admin, 'signIn.edit', { passwordsFor: 'admins' })
    expect(await ask(undefined, 'signIn.ways')).toMatchObject({
      passwordsFor: 'admins',
      providers: [{ id, kind: 'oidc', name: 'Authentik' }],
    })
    const login = (username: string, password = 'correct horse') => ({ username, password })
    expect(await refusal(undefined, 'auth.login', login('fay'))).toBe(
      '403 Members sign in with Authentik here, without a password.',
    )
    expect(await refusal(undefined, 'auth.login', login('fay', 'wrong one'))).toMatch(/^401 /)
    expect(await ask(undefined, 'auth.login', login('boss'))).toMatchObject({ username: 'boss' })
    const account = { username: 'gus', displayName: 'Gus', email: 'gus@example.org' }
    expect(
      await refusal(undefined, 'auth.register', { ...account, password: 'correct horse' }),
    ).toMatch(/^403 Members sign in with Authentik/)
    expect(await refusal(admin, 'provider.remove', { id })).toBe(
      '409 Members could not sign in any more. Allow passwords first.',
    )
    const left = await signUp()
    await site.db.deleteFrom('identities').where('userId', '=', left.member.id).execute()
    const values = { createdAt: new Date(Date.now() - 11 * 60_000).toISOString() }
    await changeRows(site.db, 'sessions', { where: { userId: left.member.id }, values })
    const wayOn = async () =>
      (await left.browser.call('settings.confirmPassword', {})).json().error.message
    expect(await wayOn()).toMatch(
      / Ask an admin to allow passwords, and for a link to a new one\.$/,
    )
    await ask(admin, 'signIn.edit', { passwordsFor: 'everybody' })
    await ask(admin, 'provider.remove', { id })
    expect(await wayOn()).toMatch(/ Ask an admin for a link to a new password\.$/)
    expect(await refusal(admin, 'signIn.edit', { passwordsFor: 'admins' })).toBe(
      '409 Members could not sign in any more. Add a provider first.',
    )
  })
})

describe('providers of the environment', () => {
  const variables = () => ({
    OIDC_2_NAME: 'Keycloak',
    OIDC_2_ISSUER: oidc.issuer,
    OIDC_2_CLIENT_ID: oidc.clientId,
    OIDC_2_CLIENT_SECRET: oidc.clientSecret,
    LOCAL_HOSTS: '127.0.0.1',
    OIDC_10_ISSUER: 'https://discord.com/',
    OIDC_10_CLIENT_ID: '1',
    OIDC_10_CLIENT_SECRET: 'x',
  })

  test('are offered, sign in with the secret of the variables, and keep their links when they are gone', async () => {
    const { providers, localHosts } = readConfig(variables())
    const started = await openTestSite({ providers, localHosts })
    try {
      await noteEnvironmentProviders(started.db, providers)
      await noteEnvironmentProviders(started.db, providers)
      const boss = await started.addMember('boss', { isAdmin: true })
      const calls = callsOf(started)
      const ways = await calls.ask<{ providers: { id: number }[] }>(undefined, 'signIn.ways')
      expect(ways.providers).toMatchObject([
        { kind: 'oidc', name: 'Keycloak' },
        { kind: 'discord', name: 'discord.com' },
      ])
      const set = ways.providers[0]?.id ?? 0
      await oidc.signInAs('sam', { preferred_username: 'sam' })
      const browser = openBrowser(started)
      await browser.go({ id: set })
      const account = { username: 'sam', email: 'sam@there.example', displayName: 'Sam' }
      await browser.ask('provider.register', account)
      const edit = { id: set, name: 'Other' }
      expect(await calls.refusal(boss, 'provider.edit', edit)).toBe(
        '409 This provider is set by variables of the environment.',
      )
      await calls.ask(boss, 'provider.edit', { id: set, makesAccounts: true })
      await noteEnvironmentProviders(started.db, [])
      expect(await calls.ask(undefined, 'signIn.ways')).toMatchObject({ providers: [] })
      await noteEnvironmentProviders(started.db, providers)
      expect(await browser.go({ id: set })).toBe('/')
      expect(await browser.user()).toBe('sam')
    } finally {
      await started.close()
    }
  })

  test('have their secret in a file', async () => {
    const path = join(site.deps.config.dataFolder, 'client-secret')
    await writeFile(path, 'from a file\n')
    const { OIDC_2_CLIENT_SECRET: _, ...others } = variables()
    const { providers } = readConfig({ ...others, OIDC_2_CLIENT_SECRET_FILE: path })
    expect(providers).toMatchObject([{ clientSecret: 'from a file' }, { clientSecret: 'x' }])
  })

  test.each([
    ['OIDC_2_ISSUER', undefined, 'OIDC_2_ISSUER must be the https address of the provider.'],
    ['OIDC_2_CLIENT_ID', undefined, 'OIDC_2_CLIENT_ID must be set.'],
    ['OIDC_2_CLIENT_SECRET', undefined, 'OIDC_2_CLIENT_SECRET must be set, itself or by its file.'],
    [
      'LOCAL_HOSTS',
      'auth.lan, *.lan',
      "LOCAL_HOSTS must be hosts, with or without a port, separated by commas, but is 'auth.lan, *.lan'.",
    ],
  ])('stop the start when %s is %s', (name, value, sentence) => {
    expect(() => readConfig({ ...variables(), [name]: value })).toThrow(sentence)
  })
})
