import { beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { PASSKEYS_MAX } from '#shared/limits.ts'
import type {
  Assertion,
  CreationOptions,
  Factors,
  RequestOptions,
} from '#shared/schemas/second-factor.schemas.ts'
import { makeAuthenticator } from '#test/support/authenticator.ts'
import { type Jar, openJar } from '#test/support/cookie-jar.ts'
import { addRows, changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1000 })
let round = 0
let ann: TestMember
let jar: Jar
beforeEach(async () => {
  ann = await addMemberWithPassword(site, `ann${++round}`)
  jar = openJar(site, ann.cookie)
})

const NOT_ACCEPTED = 'This passkey was not accepted. Please try again.'
const NOT_OWN = 'This passkey does not belong to the account. It may have been removed.'
const TOO_LATE = 'This took too long. Please sign in again.'

type Authenticator = ReturnType<typeof makeAuthenticator>

async function addPasskey(as = jar, authenticator = makeAuthenticator(), name = 'Phone') {
  const options = await as.ask<CreationOptions>('security.beginPasskey')
  await as.ask('security.addPasskey', { name, passkey: authenticator.register(options) })
  return authenticator
}

const begin = (as: Jar) => as.ask<RequestOptions>('auth.beginPasskeySignIn')
const signIn = (as: Jar, passkey: Assertion) => as.refusal('auth.signInByPasskey', { passkey })
const passkeys = async () => (await jar.ask<Factors>('security.factors')).passkeys

/**
 * Signs in with a passkey.
 * @returns the refusal, or '200 …'
 */
async function attempt(
  authenticator: Authenticator,
  wish?: Parameters<Authenticator['answer']>[1],
): Promise<string> {
  const fresh = openJar(site)
  return signIn(fresh, authenticator.answer(await begin(fresh), wish))
}

test('passkeys are added, named, listed and removed, and the member is told', async () => {
  const phone = await addPasskey()
  await addPasskey(jar, makeAuthenticator(), 'Key ring')
  const [first, second] = await passkeys()
  expect([first, second]).toMatchObject([
    { name: 'Phone', isBackedUp: false, lastUsedAt: null },
    { name: 'Key ring' },
  ])
  const handles = (await listRows(site.db, 'passkeys', { userId: ann.id })).map(
    ({ userHandle }) => userHandle,
  )
  expect(new Set(handles).size).toBe(1)
  await jar.ask('security.renamePasskey', { id: first?.id, name: 'Old phone' })
  const fresh = openJar(site)
  await fresh.ask('auth.signInByPasskey', { passkey: phone.answer(await begin(fresh)) })
  expect((await passkeys())[0]).toMatchObject({ name: 'Old phone', lastUsedAt: expect.any(String) })
  await jar.ask('security.removePasskey', { id: second?.id })
  expect(await passkeys()).toHaveLength(1)
  const rows = await listRows(site.db, 'notifications', { userId: ann.id })
  expect(rows.map(({ title }) => title).sort()).toEqual([
    'A passkey was added',
    'A passkey was added',
    'A passkey was removed',
  ])
  expect(await listRows(site.db, 'sessions', { userId: ann.id })).toHaveLength(2)
})

test('an authenticator is added once, and those of the account are excluded', async () => {
  const phone = await addPasskey()
  const options = await jar.ask<CreationOptions>('security.beginPasskey')
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Clutch' },
    excludeCredentials: [{ id: phone.credentialId, transports: ['internal'] }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  })
  const again = { name: 'Again', passkey: phone.register(options) }
  expect(await jar.refusal('security.addPasskey', again)).toBe('409 This passkey is known already.')
})

test.each([
  ['another challenge', { challenge: 'bm90IHRoaXMgb25l' }, `400 ${NOT_ACCEPTED}`],
  ['another host', { rpId: 'evil.example' }, `400 ${NOT_ACCEPTED}`],
  ['no PIN, fingerprint or face', { isVerified: false }, `400 ${NOT_ACCEPTED}`],
  [
    'another origin',
    { origin: 'https://evil.example' },
    '401 Passkeys of this site work at http://localhost only.',
  ],
])('a new passkey of %s is refused', async (_, wish, refusal) => {
  const options = await jar.ask<CreationOptions>('security.beginPasskey')
  const passkey = makeAuthenticator().register(options, wish)
  expect(await jar.refusal('security.addPasskey', { name: 'Phone', passkey })).toBe(refusal)
  expect(await passkeys()).toEqual([])
})

test('an account has twenty at most, also where several are begun at once', async () => {
  const own = { userId: ann.id, userHandle: 'AAAA', publicKey: 'AAAA', transports: '[]' }
  const createdAt = timestamp()
  for (let place = 1; place < PASSKEYS_MAX; place++) {
    const credentialId = `${ann.id}-${place}`
    const row = {
      ...own,
      credentialId,
      name: 'Phone',
      counter: 0,
      isBackedUp: 0 as const,
      createdAt,
    }
    await addRows(site.db, 'passkeys', row)
  }
  const answers: string[] = []
  const browsers = [jar, openJar(site, ann.cookie)]
  const begun = browsers.map((browser) => browser.ask<CreationOptions>('security.beginPasskey'))
  for (const [index, options] of (await Promise.all(begun)).entries()) {
    const input = { name: 'Laptop', passkey: makeAuthenticator().register(options) }
    answers.push((await browsers[index]?.refusal('security.addPasskey', input)) ?? '')
  }
  expect(answers).toEqual([
    expect.stringMatching(/^200/),
    '409 An account has at most 20 passkeys.',
  ])
})

test('the answer to a challenge for a new passkey counts once, and for its member', async () => {
  const options = await jar.ask<CreationOptions>('security.beginPasskey')
  const passkey = makeAuthenticator().register(options)
  const bob = await site.addMember(`bob${round}`)
  const stolen = [...jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const other = openJar(site, stolen)
  other.cookies.set('clutch', bob.cookie.split('=')[1] ?? '')
  const input = { name: 'Phone', passkey }
  const refusal = '409 This took too long. Please begin again.'
  expect(await other.refusal('security.addPasskey', input)).toBe(refusal)
  expect(await jar.refusal('security.addPasskey', input)).toBe(refusal)
})

describe('signing in with a passkey alone', () => {
  test('needs no name, is logged, and begins a session of its own kind', async () => {
    const phone = await addPasskey()
    const fresh = openJar(site)
    const options = await begin(fresh)
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [] })
    const input = { passkey: phone.answer(options), rememberMe: true }
    expect(await fresh.ask('auth.signInByPasskey', input)).toMatchObject({ id: ann.id })
    expect(await fresh.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    expect(fresh.cookies.has('clutch-sign-in')).toBe(false)
    const session = await readRow(site.db, 'sessions', { userId: ann.id, method: 'passkey' })
    expect(session.rememberMe).toBe(1)
    const log = await listRows(site.db, 'auditLog', { targetId: ann.id, action: 'member.login' })
    expect(log).toHaveLength(1)
  })

  test('asks for no second factor, though the account has one', async () => {
    const phone = await addPasskey()
    await jar.ask('security.setPasskeyAfterPassword', { isOn: true })
    expect(await attempt(phone)).toMatch(/^200/)
  })

  test.each([
    ['another challenge', { challenge: 'bm90IHRoaXMgb25l' }, `401 ${NOT_ACCEPTED}`],
    ['another host', { rpId: 'evil.example' }, `401 ${NOT_ACCEPTED}`],
    ['no PIN, fingerprint or face', { isVerified: false }, `401 ${NOT_ACCEPTED}`],
    [
      'another origin',
      { origin: 'https://evil.example' },
      '401 Passkeys of this site work at http://localhost only.',
    ],
  ])('is refused for an answer with %s', async (_, wish, refusal) => {
    const phone = await addPasskey()
    expect(await attempt(phone, wish)).toBe(refusal)
    expect(await attempt(phone)).toMatch(/^200/)
  })

  test('is refused for a replayed answer, in the same browser and in another', async () => {
    const phone = await addPasskey()
    const fresh = openJar(site)
    const answer = phone.answer(await begin(fresh))
    const thief = openJar(site)
    for (const [name, value] of fresh.cookies) thief.cookies.set(name, value)
    expect(await signIn(fresh, answer)).toMatch(/^200/)
    expect(await signIn(fresh, answer)).toBe(`401 ${TOO_LATE}`)
    expect(await signIn(thief, answer)).toBe(`401 ${TOO_LATE}`)
    const other = openJar(site)
    await begin(other)
    expect(await signIn(other, answer)).toBe(`401 ${NOT_ACCEPTED}`)
  })

  test('is refused when the counter went back, as that of a copy does', async () => {
    const phone = await addPasskey()
    expect(await attempt(phone, { counter: 5 })).toMatch(/^200/)
    for (const counter of [5, 4, 0]) {
      expect(await attempt(phone, { counter })).toBe(
        '401 This passkey may have been copied: its counter went back. Sign in another way and replace it.',
      )
    }
    expect(await attempt(phone, { counter: 6 })).toMatch(/^200/)
  })

  test('is refused with the key of another, an unknown one, a removed one, and when banned', async () => {
    const phone = await addPasskey()
    const fresh = openJar(site)
    const forged = makeAuthenticator().answer(await begin(fresh))
    const posing = { ...forged, id: phone.credentialId, rawId: phone.credentialId }
    expect(await signIn(fresh, posing)).toBe(`401 ${NOT_OWN}`)
    const { userHandle } = phone.answer({ challenge: 'AA' }).response
    const named = openJar(site)
    const again = makeAuthenticator().answer(await begin(named))
    const response = { ...again.response, userHandle }
    expect(await signIn(named, { ...posing, response })).toBe(`401 ${NOT_ACCEPTED}`)
    expect(await attempt(makeAuthenticator())).toBe(`401 ${NOT_OWN}`)
    await changeRows(site.db, 'users', {
      where: { id: ann.id },
      values: { bannedAt: '2026-01-01T00:00:00.000Z', banReason: 'Spam' },
    })
    expect(await attempt(phone)).toBe('403 This account is banned. The reason: Spam')
    await changeRows(site.db, 'users', { where: { id: ann.id }, values: { bannedAt: null } })
    const [row] = await passkeys()
    await jar.ask('security.removePasskey', { id: row?.id })
    expect(await attempt(phone)).toBe(`401 ${NOT_OWN}`)
  })

  test('survives rows that no passkey wrote', async () => {
    const phone = await addPasskey()
    await changeRows(site.db, 'passkeys', {
      where: { userId: ann.id },
      values: { publicKey: 'AAAA', transports: 'not JSON' },
    })
    expect(await attempt(phone)).toBe(`401 ${NOT_ACCEPTED}`)
    expect((await jar.ask<CreationOptions>('security.beginPasskey')).excludeCredentials).toEqual([
      { id: phone.credentialId, type: 'public-key', transports: [] },
    ])
  })
})

describe('a passkey after the password', () => {
  const login = (fresh: Jar) =>
    fresh.refusal('auth.login', { username: ann.username, password: PASSWORD })
  const pending = async (fresh: Jar) =>
    (await fresh.ask<{ passkey: RequestOptions }>('auth.pendingStep')).passkey

  test('is asked for where the member says so, with recovery codes for its loss', async () => {
    const phone = await addPasskey()
    expect(await login(openJar(site))).toMatch(/^200/)
    const { recoveryCodes } = await jar.ask<{ recoveryCodes: string[] }>(
      'security.setPasskeyAfterPassword',
      { isOn: true },
    )
    const fresh = openJar(site)
    expect(await login(fresh)).toBe('401 Confirm with your passkey.')
    const options = await pending(fresh)
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([phone.credentialId])
    await fresh.ask('auth.finishSignIn', { passkey: phone.answer(options) })
    expect(await fresh.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    const lost = openJar(site)
    await login(lost)
    await lost.ask('auth.finishSignIn', { code: recoveryCodes[0] })
    expect(await lost.ask('auth.currentUser')).toMatchObject({ id: ann.id })
  })

  test('has to be one of the member', async () => {
    await addPasskey()
    await jar.ask('security.setPasskeyAfterPassword', { isOn: true })
    const bob = await site.addMember(`bob${round}`)
    const theirs = await addPasskey(openJar(site, bob.cookie))
    const fresh = openJar(site)
    await login(fresh)
    const passkey = theirs.answer(await pending(fresh))
    expect(await fresh.refusal('auth.finishSignIn', { passkey })).toBe(`401 ${NOT_OWN}`)
    expect(await fresh.ask('auth.currentUser')).toBeNull()
  })

  test('is no longer asked for when the last one is removed', async () => {
    await addPasskey()
    await jar.ask('security.setPasskeyAfterPassword', { isOn: true })
    const [row] = await passkeys()
    await jar.ask('security.removePasskey', { id: row?.id })
    expect(await login(openJar(site))).toMatch(/^200/)
    expect(await jar.ask('security.factors')).toMatchObject({
      recoveryCodesLeft: 0,
      passkeyAfterPassword: false,
    })
    expect(await jar.refusal('security.setPasskeyAfterPassword', { isOn: true })).toBe(
      '409 Add a passkey first.',
    )
  })
})

test('a passkey alone confirms that it is the member, and that of another does not', async () => {
  const phone = await addPasskey()
  const bob = await site.addMember(`bob${round}`)
  const theirs = await addPasskey(openJar(site, bob.cookie))
  await changeRows(site.db, 'sessions', {
    where: { userId: ann.id },
    values: { confirmedAt: null },
  })
  const token = { name: 'ShareX', scope: 'upload', days: null }
  expect(await jar.refusal('apiToken.create', token)).toMatch(/^403/)
  const confirm = async (authenticator: Authenticator) => {
    const options = await jar.ask<RequestOptions>('settings.beginPasskeyConfirm')
    const passkey = authenticator.answer(options)
    return { passkey, answer: await jar.refusal('settings.confirmPassword', { passkey }) }
  }
  expect((await confirm(theirs)).answer).toBe(`403 ${NOT_OWN}`)
  expect(await jar.refusal('apiToken.create', token)).toMatch(/^403/)
  const { passkey, answer } = await confirm(phone)
  expect(answer).toMatch(/^200/)
  expect(await jar.refusal('settings.confirmPassword', { passkey })).toBe(
    '403 This took too long. Please try again.',
  )
  expect(await jar.refusal('apiToken.create', token)).toMatch(/^200/)
})

test('other members cannot see, rename or remove a passkey', async () => {
  await addPasskey()
  const [row] = await passkeys()
  const bob = openJar(site, (await site.addMember(`bob${round}`)).cookie)
  expect((await bob.ask<Factors>('security.factors')).passkeys).toEqual([])
  const refusal = '404 There is no such passkey.'
  expect(await bob.refusal('security.renamePasskey', { id: row?.id, name: 'Mine' })).toBe(refusal)
  expect(await bob.refusal('security.removePasskey', { id: row?.id })).toBe(refusal)
})

test('passkeys are bound to the address of the site, and need https and a name', async () => {
  for (const [publicUrl, host] of [
    ['https://clips.example.org', 'clips.example.org'],
    ['http://clips.example.org', null],
    ['https://192.0.2.1', null],
    ['https://[2001:db8::1]:8443', null],
    ['http://localhost:3000', 'localhost'],
  ] as const) {
    const other = await openTestSite({ publicUrl, rateLimitScale: 1000 })
    const eve = openJar(other, (await other.addMember('eve')).cookie)
    expect(await eve.ask('security.factors')).toMatchObject({ passkeyHost: host })
    const answer = await eve.refusal('security.beginPasskey')
    if (host) expect(answer).toMatch(/^200/)
    else expect(answer).toBe('409 Passkeys need https and a name instead of an IP address.')
    await other.close()
  }
})
