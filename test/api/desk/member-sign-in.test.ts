import { beforeEach, describe, expect, test } from 'vitest'
import { renewRecoveryCodes } from '#server/account/recovery-code/recovery-code.service.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type { MemberSignIn } from '#shared/schemas/desk/member.schemas.ts'
import { addBegunSignIn } from '#test/support/begun-sign-in.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows, changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, refusal, statusOf } = callsOf(site)
const at = timestamp()

let round = 0
let boss: TestMember
let ann: TestMember
let passkeyId: number
let identityId: number
let goneId: number

beforeEach(async () => {
  const { db } = site
  boss = await addMemberWithPassword(site, `boss${++round}`, { isAdmin: true })
  ann = await addMemberWithPassword(site, `ann${round}`)
  const userId = ann.id
  const passkey = (name: string) =>
    addRow(db, 'passkeys', {
      ...{ userId, name, credentialId: `${name}-${userId}`, userHandle: `handle-${userId}` },
      ...{ publicKey: 'AAAA', counter: 0, transports: '[]', isBackedUp: 0, createdAt: at },
    })
  passkeyId = await passkey('Phone')
  await passkey('Laptop')
  await addRows(db, 'timeCodes', { userId, secret: 'A'.repeat(32), lastStep: 0, createdAt: at })
  await renewRecoveryCodes(db, userId)
  const link = async (name: string, isActive: 0 | 1) => {
    const providerId = await addRow(db, 'identityProviders', {
      ...{ name, source: 'environment', kind: 'oidc', issuer: `https://${name}${round}.example` },
      ...{ clientId: 'clutch', isActive, roleRules: '[]', createdAt: at },
    })
    const names = { subject: `${name}-${userId}`, name: `${name} name`, grants: '["uploader"]' }
    const times = { createdAt: at, lastUsedAt: at, checkedAt: at }
    return addRow(db, 'identities', { providerId, userId, ...names, ...times })
  }
  identityId = await link('Authentik', 1)
  goneId = await link('Keycloak', 0)
  await changeRows(db, 'users', { where: { id: userId }, values: { isTrustedUploader: 1 } })
  const token = { name: 'script', scope: 'read', days: null }
  await ask(ann, 'apiToken.create', token)
})

const read = (userId = ann.id) => ask<MemberSignIn>(boss, 'member.signIn', { userId })
const isIn = async (member = ann) =>
  (await site.get('/api/user', { as: member })).statusCode === 200
const told = async () =>
  (await listRows(site.db, 'notifications', { userId: ann.id })).map(({ title }) => title)
const acts = async () =>
  (await listRows(site.db, 'auditLog', { targetId: ann.id }))
    .filter(({ actorId }) => actorId === boss.id)
    .map(({ action, reason }) => (reason ? `${action}: ${reason}` : action))
const logIn = async (password: string) =>
  (await site.post('/api/login', { payload: { username: ann.username, password } })).statusCode

test('an admin sees every way in which a member signs in, also one that is not offered now', async () => {
  expect(await read()).toMatchObject({
    ...{ hasPassword: true, takesPassword: true, timeCodesSince: at, recoveryCodesLeft: 10 },
    passkeys: [{ id: passkeyId, name: 'Phone', lastUsedAt: null }, { name: 'Laptop' }],
    identities: [
      { id: identityId, provider: { name: 'Authentik' }, name: 'Authentik name', isOffered: true },
      { id: goneId, provider: { name: 'Keycloak' }, createdAt: at, isOffered: false },
    ],
    ...{ sessionCount: 1, apiTokenCount: 1 },
  })
})

describe('an admin takes from another member', () => {
  const removals = [
    {
      name: 'removePasskey',
      input: () => ({ id: passkeyId }),
      title: 'An admin removed a passkey of yours',
      act: 'member.change-second-step: Passkey removed: Phone',
    },
    {
      name: 'removeTimeCodes',
      input: () => ({}),
      title: 'An admin removed your authenticator app',
      act: 'member.change-second-step: Authenticator app removed',
    },
    {
      name: 'unlink',
      input: () => ({ id: identityId }),
      title: 'An admin unlinked Authentik',
      act: 'member.unlink: Authentik',
    },
    {
      name: 'revokeTokens',
      input: () => ({}),
      title: 'An admin revoked your API tokens',
      act: 'member.revoke-tokens',
    },
  ]

  test.each(removals)('$name: the member is told and logged out', async (removal) => {
    const begun = await addBegunSignIn(site, ann)
    const name = `member.${removal.name}`
    const input = { userId: ann.id, ...removal.input() }
    const where = { userId: boss.id }
    await changeRows(site.db, 'sessions', { where, values: { confirmedAt: null } })
    expect(await refusal(boss, name, input)).toBe('403 Please confirm your password first.')
    await changeRows(site.db, 'sessions', { where, values: { confirmedAt: timestamp() } })
    const before = await read()
    await ask(boss, name, input)
    expect(await read()).not.toEqual({ ...before, sessionCount: 0 })
    expect(await isIn()).toBe(false)
    const finish = await site.post('/api/login/code', {
      payload: { code: begun.code },
      headers: { cookie: begun.cookie },
    })
    expect(finish.statusCode).toBe(401)
    expect(await told()).toEqual([removal.title])
    expect(await acts()).toEqual([removal.act])
  })

  test('the last factor, although the site requires one, and recovery codes go with it', async () => {
    const rule = (secondFactorFor: 'everybody' | 'nobody') =>
      changeRows(site.db, 'signInSettings', { where: {}, values: { secondFactorFor } })
    await rule('everybody')
    try {
      for (const { id } of (await read()).passkeys) {
        await ask(boss, 'member.removePasskey', { userId: ann.id, id })
      }
      await ask(boss, 'member.removeTimeCodes', { userId: ann.id })
      expect(await read()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    } finally {
      await rule('nobody')
    }
  })

  test('what a role gave with the link, and a link whose provider is gone', async () => {
    await ask(boss, 'member.unlink', { userId: ann.id, id: goneId })
    expect(await readRow(site.db, 'users', { id: ann.id })).toMatchObject({ isTrustedUploader: 0 })
    expect((await read()).identities).toMatchObject([{ id: identityId }])
  })

  test('nothing that belongs to somebody else, and nothing from oneself', async () => {
    const other = await site.addMember(`other${round}`)
    const calls: [string, object][] = [
      ['removePasskey', { id: passkeyId }],
      ['unlink', { id: identityId }],
    ]
    for (const [name, input] of calls) {
      expect(await statusOf(boss, `member.${name}`, { userId: other.id, ...input })).toBe(404)
    }
    const own = '409 This is your own account. Change it in your settings, or ask another admin.'
    const ownCalls: [string, object][] = [
      ...calls,
      ['removeTimeCodes', {}],
      ['revokeTokens', {}],
      ['resetSecondFactor', {}],
      ['resetPassword', { allWays: true }],
    ]
    for (const [name, input] of ownCalls) {
      expect(await refusal(boss, `member.${name}`, { userId: boss.id, ...input })).toBe(own)
    }
    expect(await isIn(boss)).toBe(true)
  })
})

test('logging a member out everywhere tells them, and oneself nothing', async () => {
  await ask(boss, 'member.endSessions', { userId: ann.id })
  await ask(boss, 'member.endSessions', { userId: boss.id })
  expect(await told()).toEqual(['An admin logged you out everywhere'])
  expect(await listRows(site.db, 'notifications', { userId: boss.id })).toEqual([])
})

describe('a link to a new password', () => {
  test('can be the only way in that is left', async () => {
    const input = { userId: ann.id, allWays: true }
    const { token } = await ask<{ token: string }>(boss, 'member.resetPassword', input)
    expect(await read()).toEqual({
      ...{ hasPassword: false, takesPassword: true, timeCodesSince: null, recoveryCodesLeft: 0 },
      ...{ passkeys: [], identities: [], sessionCount: 0, apiTokenCount: 0 },
    })
    expect([await isIn(), await logIn(PASSWORD)]).toEqual([false, 401])
    expect(await readRow(site.db, 'users', { id: ann.id })).toMatchObject({ isTrustedUploader: 0 })
    expect(await told()).toEqual(['An admin reset how you sign in'])
    expect(await acts()).toEqual(['member.reset-password: Every other way to sign in removed'])
    await ask(undefined, 'auth.resetPassword', { token, password: 'battery staple' })
    expect(await logIn('battery staple')).toBe(200)
  })

  test('leaves the rest by default', async () => {
    await ask(boss, 'member.resetPassword', { userId: ann.id })
    expect(await read()).toMatchObject({ hasPassword: true, apiTokenCount: 1, sessionCount: 0 })
    expect((await read()).identities).toHaveLength(2)
    expect(await told()).toEqual([])
  })

  test('leaves the last admin an admin, although a linked account gave the role', async () => {
    const { createPasswordReset } = await import(
      '#server/desk/member-sign-in/member-sign-in.service.ts'
    )
    const admins = (await listRows(site.db, 'users', { isAdmin: 1 })).map(({ id }) => id)
    const setAdmin = (id: number, isAdmin: 0 | 1) =>
      changeRows(site.db, 'users', { where: { id }, values: { isAdmin } })
    for (const id of admins) await setAdmin(id, 0)
    await setAdmin(ann.id, 1)
    const values = { grants: '["admin"]' }
    await changeRows(site.db, 'identities', { where: { id: identityId }, values })
    await createPasswordReset(site.db, { userId: ann.id, viewer: null, allWays: true })
    expect(await readRow(site.db, 'users', { id: ann.id })).toMatchObject({ isAdmin: 1 })
    for (const id of admins) await setAdmin(id, 1)
  })
})
