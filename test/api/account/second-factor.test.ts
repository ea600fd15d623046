import { beforeEach, describe, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type {
  CreationOptions,
  RequestOptions,
  TimeCodeSetup,
} from '#shared/schemas/second-factor.schemas.ts'
import { makeAuthenticator } from '#test/support/authenticator.ts'
import { type Jar, openJar } from '#test/support/cookie-jar.ts'
import { changeRows, listRows } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { enterStep, timeCodeOf } from '#test/support/time-codes.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1000 })
let round = 0
let ann: TestMember
let jar: Jar
beforeEach(async () => {
  await enterStep()
  ann = await addMemberWithPassword(site, `ann${++round}`)
  jar = openJar(site, ann.cookie)
})

const CODE_WANTED = 'Enter the code of your authenticator app.'
const WRONG = 'This code is wrong. Check the clock of your device, or use a newer code.'
const USED = 'This code was used already. Wait for the next one.'

/** Sets up an authenticator app with the code of the previous time step. */
async function setUpCodes(as = jar) {
  const { secret } = await as.ask<TimeCodeSetup>('security.beginTimeCodes')
  const code = timeCodeOf(secret, -1)
  const { recoveryCodes } = await as.ask<{ recoveryCodes: string[] }>('security.confirmTimeCodes', {
    code,
  })
  return { secret, recoveryCodes }
}

async function beginSignIn(member = ann, at = site): Promise<Jar> {
  const fresh = openJar(at)
  const login = { username: member.username, password: PASSWORD }
  expect(await fresh.refusal('auth.login', login)).toBe(`401 ${CODE_WANTED}`)
  return fresh
}

const finish = (as: Jar, code: string) => as.ask<{ id: number }>('auth.finishSignIn', { code })
const refuse = (as: Jar, code: string) => as.refusal('auth.finishSignIn', { code })
const titles = async (userId = ann.id) =>
  (await listRows(site.db, 'notifications', { userId })).map(({ title }) => title)
const acts = async (targetId: number) =>
  (await listRows(site.db, 'auditLog', { targetId })).map(({ action, reason }) =>
    reason ? `${action}: ${reason}` : action,
  )

describe('time codes', () => {
  test('are set up with a code, and recovery codes shown once; the member is told', async () => {
    const setup = await jar.ask<TimeCodeSetup>('security.beginTimeCodes')
    expect(setup.secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    const uri = new URL(setup.uri)
    expect([uri.protocol, uri.searchParams.get('secret')]).toEqual([
      'otpauth:',
      setup.secret.replaceAll(' ', ''),
    ])
    const confirm = (code: string) => jar.refusal('security.confirmTimeCodes', { code })
    expect(await confirm('000000')).toBe(`403 ${WRONG}`)
    expect(await jar.ask('security.factors')).toMatchObject({ timeCodesSince: null })
    const typed = timeCodeOf(setup.secret).replace(/(...)/, '$1 ')
    const { recoveryCodes } = await jar.ask<{ recoveryCodes: string[] }>(
      'security.confirmTimeCodes',
      { code: typed },
    )
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(recoveryCodes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    expect(await jar.ask('security.factors')).toMatchObject({
      timeCodesSince: expect.any(String),
      recoveryCodesLeft: 10,
    })
    expect(await titles()).toEqual(['An authenticator app was added'])
    expect(await acts(ann.id)).toEqual(['member.change-second-step: Authenticator app added'])
    const stored = await listRows(site.db, 'recoveryCodes', { userId: ann.id })
    expect(JSON.stringify(stored)).not.toContain(recoveryCodes[0]?.replaceAll('-', ''))
  })

  test('are asked for after the password; without one there is no session', async () => {
    await setUpCodes()
    const fresh = openJar(site)
    const answer = await fresh.call('auth.login', { username: ann.username, password: PASSWORD })
    expect(answer.json().error.data).toEqual({
      code: 'UNAUTHORIZED',
      httpStatus: 401,
      secondFactor: { code: true, recoveryCode: true, passkey: false, enrol: false },
    })
    expect(answer.cookies).toMatchObject([
      { name: 'clutch-sign-in', httpOnly: true, sameSite: 'Lax', maxAge: 600 },
    ])
    expect(await fresh.ask('auth.currentUser')).toBeNull()
    const pending = await fresh.call('auth.pendingStep')
    expect(pending.json().result.data).toMatchObject({ ways: { code: true }, setup: null })
    expect(await openJar(site).ask('auth.pendingStep')).toBeNull()
  })

  test('sign in once: a wrong one can be corrected, a used one not be used again', async () => {
    const { secret } = await setUpCodes()
    const fresh = await beginSignIn()
    expect(await refuse(fresh, '000000')).toBe(`401 ${WRONG}`)
    expect(await refuse(fresh, timeCodeOf(secret, -1))).toBe(`401 ${USED}`)
    const code = timeCodeOf(secret)
    expect((await finish(fresh, code)).id).toBe(ann.id)
    expect(await fresh.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    expect(fresh.cookies.has('clutch-sign-in')).toBe(false)
    const again = await beginSignIn()
    expect(await refuse(again, code)).toBe(`401 ${USED}`)
    const logged = await acts(ann.id)
    expect(logged.filter((act) => act === 'member.fail-login')).toHaveLength(3)
    expect(logged.filter((act) => act === 'member.login')).toHaveLength(1)
  })

  test('of one step later or earlier work, those of a clock further off do not', async () => {
    const { secret } = await setUpCodes()
    const fresh = await beginSignIn()
    for (const steps of [-3, 3]) {
      expect(await refuse(fresh, timeCodeOf(secret, steps))).toBe(`401 ${WRONG}`)
    }
    expect((await finish(fresh, timeCodeOf(secret, 1))).id).toBe(ann.id)
  })

  test('of another member, and of a step that is over, are refused', async () => {
    await setUpCodes()
    const bob = await addMemberWithPassword(site, `bob${round}`)
    const { secret } = await setUpCodes(openJar(site, bob.cookie))
    const fresh = await beginSignIn()
    expect(await refuse(fresh, timeCodeOf(secret))).toBe(`401 ${WRONG}`)
    await changeRows(site.db, 'signInSteps', {
      where: { userId: ann.id },
      values: { expiresAt: timestamp(new Date(Date.now() - 1000)) },
    })
    expect(await refuse(fresh, timeCodeOf(secret))).toBe(
      '401 This took too long. Please sign in again.',
    )
  })

  test('two at once begin one session', async () => {
    const { secret } = await setUpCodes()
    const fresh = await beginSignIn()
    const code = timeCodeOf(secret)
    const answers = await Promise.all([1, 2].map(() => fresh.call('auth.finishSignIn', { code })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
  })

  test('work for scripts at /api/login/code, with the cookie of the first step', async () => {
    const { secret } = await setUpCodes()
    const script = openJar(site)
    const login = { username: ann.username, password: PASSWORD, rememberMe: true }
    const first = await script.post('/api/login', login)
    expect([first.statusCode, first.body]).toEqual([401, CODE_WANTED])
    const wrong = await script.post('/api/login/code', { code: '000000' })
    expect([wrong.statusCode, wrong.body]).toEqual([401, WRONG])
    const right = await script.post('/api/login/code', { code: timeCodeOf(secret) })
    expect([right.statusCode, right.json().username]).toEqual([200, ann.username])
    expect([...script.cookies.keys()].sort()).toEqual(['clutch', 'clutch-device'])
  })

  test('can be turned off, with the recovery codes', async () => {
    await setUpCodes()
    await jar.ask('security.removeTimeCodes')
    expect(await jar.ask('security.factors')).toMatchObject({
      timeCodesSince: null,
      recoveryCodesLeft: 0,
    })
    const login = { username: ann.username, password: PASSWORD }
    expect(await openJar(site).ask('auth.login', login)).toMatchObject({ id: ann.id })
    expect(await titles()).toContain('Your authenticator app was removed')
  })

  test('are changed only after a confirmation', async () => {
    const { cookie } = await addMemberWithPassword(site, `cid${round}`, { isConfirmed: false })
    const unconfirmed = openJar(site, cookie)
    for (const [name, input] of [
      ['security.beginTimeCodes'],
      ['security.confirmTimeCodes', { code: '1' }],
      ['security.removeTimeCodes'],
      ['security.renewRecoveryCodes'],
      ['security.beginPasskey'],
      ['security.removePasskey', { id: 1 }],
      ['security.setPasskeyAfterPassword', { isOn: true }],
    ] as const) {
      expect(await unconfirmed.refusal(name, input)).toBe('403 Please confirm your password first.')
    }
  })
})

describe('recovery codes', () => {
  test('sign in once each, in any writing, and the member is told', async () => {
    const { recoveryCodes } = await setUpCodes()
    const code = recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ') ?? ''
    expect((await finish(await beginSignIn(), code)).id).toBe(ann.id)
    expect(await jar.ask('security.factors')).toMatchObject({ recoveryCodesLeft: 9 })
    expect(await titles()).toContain('A recovery code was used')
    expect(await refuse(await beginSignIn(), code)).toBe(`401 ${WRONG}`)
  })

  test('are replaced by new ones', async () => {
    const { recoveryCodes } = await setUpCodes()
    const renewed = await jar.ask<{ recoveryCodes: string[] }>('security.renewRecoveryCodes')
    expect(renewed.recoveryCodes).toHaveLength(10)
    const fresh = await beginSignIn()
    expect(await refuse(fresh, recoveryCodes[1] ?? '')).toBe(`401 ${WRONG}`)
    expect((await finish(fresh, renewed.recoveryCodes[1] ?? '')).id).toBe(ann.id)
  })

  test('are not made for an account without a second factor', async () => {
    expect(await jar.refusal('security.renewRecoveryCodes')).toBe(
      '409 Recovery codes belong to two-step sign-in. Set it up first.',
    )
  })
})

describe('guessing', () => {
  test('is limited per account and address as passwords are, and per account from all of them', async () => {
    const slow = await openTestSite({ rateLimitScale: 1, trustedProxies: ['127.0.0.1'] })
    const eve = await addMemberWithPassword(slow, 'eve')
    const { secret, recoveryCodes } = await setUpCodes(openJar(slow, eve.cookie))
    const statuses: number[] = []
    let address = 0
    const guess = async (step: string, code: string) => {
      const answer = await slow.post('/api/login/code', {
        payload: { code },
        headers: { cookie: step, 'x-forwarded-for': `198.51.100.${address}` },
      })
      return answer.statusCode
    }
    const begin = async () => {
      const payload = { username: 'eve', password: PASSWORD }
      const headers = { 'x-forwarded-for': `198.51.100.${address}` }
      const answer = await slow.post('/api/login', { payload, headers })
      return `clutch-sign-in=${answer.cookies[0]?.value}`
    }
    for (; address < 5; address++) {
      const step = await begin()
      for (let time = 0; time < 11; time++) statuses.push(await guess(step, '000000'))
    }
    expect(statuses.slice(0, 11)).toEqual([...Array(10).fill(401), 429])
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    const step = await begin()
    expect(await guess(step, timeCodeOf(secret))).toBe(429)
    // From another address a recovery code still works, because the limit of the account is for codes of six digits.
    const wrong: number[] = []
    for (let time = 0; time < 11; time++) wrong.push(await guess(step, 'aaaa-aaaa-aaaa-aaaa'))
    expect(wrong).toEqual([...Array(10).fill(401), 429])
    const [right = ''] = recoveryCodes
    expect(await guess(step, right)).toBe(429)
    address++
    expect(await guess(step, right)).toBe(200)
    await slow.close()
  })
})

describe('confirming the password', () => {
  const confirm = (input: object) => jar.refusal('settings.confirmPassword', input)

  test('wants a code too, after the right password', async () => {
    const { secret, recoveryCodes } = await setUpCodes()
    expect(await jar.ask('settings.confirmWays')).toEqual({
      ...{ password: true, code: true, recoveryCode: true, passkey: false, provider: false },
    })
    expect(await confirm({ password: PASSWORD })).toBe(
      '403 Enter the code of your authenticator app too.',
    )
    const code = timeCodeOf(secret)
    expect(await confirm({ password: 'wrong one', code })).toBe(
      '403 The current password is not right.',
    )
    expect(await confirm({ password: PASSWORD, code: '000000' })).toBe(`403 ${WRONG}`)
    await jar.ask('settings.confirmPassword', { password: PASSWORD, code })
    expect(await confirm({ password: PASSWORD, code })).toBe(`403 ${USED}`)
    await jar.ask('settings.confirmPassword', { password: PASSWORD, code: recoveryCodes[0] })
  })

  test('is needed for a new password and to delete the account, where there is a second factor', async () => {
    await setUpCodes()
    await changeRows(site.db, 'sessions', {
      where: { userId: ann.id },
      values: { confirmedAt: null },
    })
    const change = { currentPassword: PASSWORD, newPassword: 'battery staple' }
    const sentence = '403 Please confirm your password first.'
    expect(await jar.refusal('settings.changePassword', change)).toBe(sentence)
    expect(await jar.refusal('settings.deleteAccount', { password: PASSWORD })).toBe(sentence)
  })

  test('takes the code alone of a member without a password, or the sign-in just now', async () => {
    const setPassword = (password: string) =>
      changeRows(site.db, 'users', { where: { id: ann.id }, values: { password } })
    const { password } = (await listRows(site.db, 'users', { id: ann.id }))[0] ?? { password: '' }
    await setPassword('')
    await jar.ask('settings.confirmPassword', {})
    await changeRows(site.db, 'sessions', {
      where: { userId: ann.id },
      values: { createdAt: timestamp(new Date(Date.now() - 11 * 60_000)) },
    })
    expect(await confirm({})).toMatch(
      /^403 Your account has no password, .* Ask an admin for a link to a new password\.$/,
    )
    const { secret } = await setUpCodes()
    expect(await confirm({})).toBe('403 Enter the code of your authenticator app too.')
    await jar.ask('settings.confirmPassword', { code: timeCodeOf(secret) })
    await setPassword(password)
  })
})

describe('a second factor that the site requires', () => {
  let admin: TestMember
  let boss: Jar
  beforeEach(async () => {
    admin = await addMemberWithPassword(site, `boss${round}`, { isAdmin: true })
    boss = openJar(site, admin.cookie)
  })
  const require = (wish: object) =>
    boss.ask('signIn.edit', { secondFactorFor: 'everybody', secondFactorFrom: null, ...wish })
  const relax = () =>
    changeRows(site.db, 'signInSettings', {
      where: { id: 1 },
      values: { secondFactorFor: 'nobody', secondFactorFrom: null },
    })
  const inDays = (days: number) => timestamp(new Date(Date.now() + days * 86_400_000))
  const sweep = () => tidy(site.deps as Parameters<typeof tidy>[0], new Set())

  test('is not required by an admin who has none', async () => {
    expect(await boss.refusal('signIn.edit', { secondFactorFor: 'admins' })).toBe(
      '409 Set up two-step sign-in for your own account first. It is in your settings.',
    )
  })

  test('before its date members are told once, and sign in as before', async () => {
    await setUpCodes(boss)
    await require({ secondFactorFrom: '2099-12-03T00:00:00.000Z' })
    await sweep()
    await sweep()
    expect(await titles()).toEqual(['Set up two-step sign-in by December 3, 2099'])
    expect(await titles(admin.id)).not.toContain('Set up two-step sign-in by December 3, 2099')
    expect(await jar.ask('security.factors')).toMatchObject({
      required: { from: '2099-12-03T00:00:00.000Z', isDue: false },
    })
    const login = { username: ann.username, password: PASSWORD }
    expect(await openJar(site).ask('auth.login', login)).toMatchObject({ id: ann.id })
    await relax()
  })

  test('from its date sessions without one end, and signing in sets one up', async () => {
    await setUpCodes(boss)
    await require({ secondFactorFrom: inDays(-1) })
    await sweep()
    expect(await jar.ask('auth.currentUser')).toBeNull()
    expect(await boss.ask('auth.currentUser')).toMatchObject({ id: admin.id })
    const fresh = openJar(site)
    const login = { username: ann.username, password: PASSWORD }
    const answer = await fresh.call('auth.login', login)
    expect(answer.json().error).toMatchObject({
      message: 'This site requires two-step sign-in. Set it up on the sign-in page.',
      data: { secondFactor: { enrol: true } },
    })
    const { setup } = await fresh.ask<{ setup: TimeCodeSetup }>('auth.pendingStep')
    expect(await fresh.refusal('auth.finishSignIn', { code: timeCodeOf(setup.secret) })).toMatch(
      /^401 This took too long/,
    )
    expect(await fresh.refusal('auth.finishEnrolment', { code: '000000' })).toBe(`401 ${WRONG}`)
    const code = timeCodeOf(setup.secret)
    const enrolled = await fresh.ask<{ recoveryCodes: string[] }>('auth.finishEnrolment', { code })
    expect(enrolled.recoveryCodes).toHaveLength(10)
    expect(await fresh.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    expect(await refuse(await beginSignIn(), code)).toBe(`401 ${USED}`)
    expect(await fresh.refusal('settings.confirmPassword', { password: PASSWORD })).toMatch(/^403/)
    await relax()
  })

  test('shows its recovery codes also to a member whose account will be deleted', async () => {
    await setUpCodes(boss)
    await require({})
    const values = { deletesAt: inDays(7) }
    await changeRows(site.db, 'users', { where: { id: ann.id }, values })
    const fresh = openJar(site)
    await fresh.refusal('auth.login', { username: ann.username, password: PASSWORD })
    const { setup } = await fresh.ask<{ setup: TimeCodeSetup }>('auth.pendingStep')
    const code = timeCodeOf(setup.secret)
    const enrolled = await fresh.ask<{ recoveryCodes: string[] }>('auth.finishEnrolment', { code })
    expect(enrolled).toMatchObject({ user: null, username: ann.username })
    expect(enrolled.recoveryCodes).toHaveLength(10)
    expect(await fresh.ask('auth.currentUser')).toBeNull()
    expect(await fresh.ask('auth.leaving')).toEqual(values)
    expect(await fresh.ask('auth.keepAccount')).toMatchObject({ id: ann.id })
    await relax()
  })

  test('is not replaced by a sign-in that began before it was set up', async () => {
    await setUpCodes(boss)
    await require({})
    const thief = openJar(site)
    await thief.refusal('auth.login', { username: ann.username, password: PASSWORD })
    const { setup } = await thief.ask<{ setup: TimeCodeSetup }>('auth.pendingStep')
    const { secret } = await setUpCodes()
    expect(await thief.refusal('auth.finishEnrolment', { code: timeCodeOf(setup.secret) })).toBe(
      '401 This took too long. Please sign in again.',
    )
    expect(await thief.ask('auth.currentUser')).toBeNull()
    expect((await finish(await beginSignIn(), timeCodeOf(secret))).id).toBe(ann.id)
    await relax()
  })

  test('is a passkey too: with one alone it is asked for, and no app is set up', async () => {
    await setUpCodes(boss)
    await require({})
    const phone = makeAuthenticator()
    const options = await jar.ask<CreationOptions>('security.beginPasskey')
    await jar.ask('security.addPasskey', { name: 'Phone', passkey: phone.register(options) })
    await sweep()
    expect(await jar.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    const fresh = openJar(site)
    const login = { username: ann.username, password: PASSWORD }
    expect(await fresh.refusal('auth.login', login)).toBe('401 Confirm with your passkey.')
    const { passkey } = await fresh.ask<{ passkey: RequestOptions }>('auth.pendingStep')
    await fresh.ask('auth.finishSignIn', { passkey: phone.answer(passkey) })
    expect(await fresh.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    await relax()
  })

  test('of admins concerns no others; the last one cannot be removed', async () => {
    await setUpCodes(boss)
    await require({ secondFactorFor: 'admins' })
    await sweep()
    expect(await jar.ask('auth.currentUser')).toMatchObject({ id: ann.id })
    expect(await boss.refusal('security.removeTimeCodes')).toBe(
      '409 This site requires two-step sign-in. Add another passkey or an authenticator app first.',
    )
    await relax()
  })

  test('concerns new members too, whose account is made and waits', async () => {
    await setUpCodes(boss)
    await require({})
    const fresh = openJar(site)
    const username = `new${round}`
    const account = { username, email: `${username}@example.org`, displayName: 'New' }
    expect(await fresh.refusal('auth.register', { ...account, password: PASSWORD })).toMatch(
      /^401 This site requires/,
    )
    const { setup } = await fresh.ask<{ setup: TimeCodeSetup }>('auth.pendingStep')
    const code = timeCodeOf(setup.secret)
    await fresh.ask('auth.finishEnrolment', { code })
    expect(await fresh.ask('auth.currentUser')).toMatchObject({ username })
    await relax()
  })
})

describe('an admin', () => {
  test('resets the second factor of a member, who is told and logged out; not their own', async () => {
    const admin = await addMemberWithPassword(site, `root${round}`, { isAdmin: true })
    const boss = openJar(site, admin.cookie)
    const reset = (userId: number) => boss.refusal('member.resetSecondFactor', { userId })
    expect(await reset(ann.id)).toBe('409 This member has no two-step sign-in.')
    const { secret } = await setUpCodes()
    const begun = await beginSignIn()
    await setUpCodes(boss)
    expect(await reset(admin.id)).toBe(
      '409 This is your own account. Change it in your settings, or ask another admin.',
    )
    await boss.ask('member.resetSecondFactor', { userId: ann.id })
    expect(await jar.ask('auth.currentUser')).toBeNull()
    expect(await refuse(begun, timeCodeOf(secret))).toMatch(/^401 This took too long/)
    const login = { username: ann.username, password: PASSWORD }
    expect(await openJar(site).ask('auth.login', login)).toMatchObject({ id: ann.id })
    expect(await titles()).toContain('An admin reset your two-step sign-in')
    expect(await acts(ann.id)).toContain('member.reset-second-step')
  })
})
