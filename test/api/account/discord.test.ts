import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/account/auth/password.ts'
import { checkMembers } from '#server/account/provider/provider-check.service.ts'
import type { LinkedAccounts } from '#shared/schemas/provider.schemas.ts'
import { setUpDiscordServer } from '#test/support/discord-server.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { openBrowser } from '#test/support/provider-visits.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000, localHosts: ['127.0.0.1'] })
const admin = setUpAdmin(site)
const discord = setUpDiscordServer()
const { ask, refusal } = callsOf(site)

const guildId = '111111111111111111'
const ROLES = {
  admin: '222222222222222222',
  uploader: '333333333333333333',
  squad: '444444444444444444',
}
const DAY_MS = 24 * 60 * 60_000
const LEFT =
  'This account is for members of a Discord server that you have left. Join it again, then sign in with Discord.'
const GONE = 'Your Discord account is not in the server whose members may sign in here.'

let id: number
let squadId: number

beforeAll(async () => {
  const squad = {
    name: 'Team',
    tag: 'TEAM',
    colour: 'red',
    emblem: 'bolt',
    description: '',
    joining: 'invite',
  }
  squadId = (await ask<{ id: number }>(admin, 'squad.create', squad)).id
  id = (
    await ask<{ id: number }>(admin, 'provider.create', {
      ...{ kind: 'discord', name: 'Discord', issuer: discord.issuer },
      ...{ clientId: discord.client.id, clientSecret: discord.client.secret },
      ...{ makesAccounts: false, takesProfile: true, guildId },
      roleRules: [
        { roleId: ROLES.admin, gives: 'admin' },
        { roleId: ROLES.uploader, gives: 'uploader' },
        { roleId: ROLES.squad, gives: 'squad', squadId },
      ],
    })
  ).id
})

/** Makes the link look as if the member had registered with a password and linked Discord later. */
const linkOnly = async (username: string) =>
  site.db
    .updateTable('identities')
    .set({ madeAccount: 0 })
    .where('userId', '=', (await readRow(site.db, 'users', { username })).id)
    .execute()

let people = 0
async function signUp(roles: string[] = [], more: { avatar?: string } = {}) {
  const number = ++people
  const user = {
    id: String(500_000_000_000_000_000n + BigInt(number)),
    username: `gamer${number}`,
    global_name: `Gamer ${number}`,
    email: `gamer${number}@there.example`,
    ...more,
  }
  discord.signInAs(user)
  discord.setMember({ guildId, id: user.id }, roles)
  const browser = openBrowser(site)
  await browser.go({ id })
  const { username, email, global_name: displayName } = user
  await browser.ask('provider.register', { username, email, displayName })
  const isInSquad = async () =>
    (
      await site.db
        .selectFrom('squadMembers')
        .select('userId')
        .where('squadId', '=', squadId)
        .execute()
    ).some(({ userId }) => userId === row.id)
  const read = () => readRow(site.db, 'users', { username })
  const row = await read()
  return { browser, user, read, isInSquad }
}

const look = (afterDays = 1) =>
  checkMembers({ ...site.deps, log: site.log }, new Date(Date.now() + afterDays * DAY_MS))

test('a member of the server signs up and in, with the name and avatar of Discord', async () => {
  const { browser, user, read } = await signUp([], { avatar: 'abc' })
  expect(await read()).toMatchObject({ displayName: user.global_name, isAdmin: 0 })
  const { avatarUrl } = await read()
  expect(avatarUrl).toMatch(/^\/media\//)
  discord.signInAs({ ...user, global_name: 'Renamed' })
  expect(await browser.go({ id, next: '/settings' })).toBe('/settings')
  expect(await read()).toMatchObject({ displayName: 'Renamed', avatarUrl })
  expect(await browser.user()).toBe(user.username)
})

test('who is not in the server is refused, as is who cancels, and a used answer', async () => {
  discord.signInAs({ id: '600000000000000000', username: 'stranger' })
  const browser = openBrowser(site)
  await browser.go({ id })
  expect(await browser.sentence()).toBe(GONE)
  discord.cancel()
  await browser.go({ id })
  expect(await browser.sentence()).toBe('You cancelled signing in with Discord.')
  const { user } = await signUp()
  discord.signInAs(user)
  const callback = await browser.visit(await browser.begin({ id }))
  expect(await browser.end(callback)).toBe('/')
  const again = await browser.visit(await browser.begin({ id }))
  again.searchParams.set('code', callback.searchParams.get('code') ?? '')
  await browser.end(again)
  expect(await browser.sentence()).toBe(
    'This sign-in has expired or was completed before. Please start again.',
  )
})

test('a wrong secret and a Discord that is down are said', async () => {
  const { user } = await signUp()
  discord.signInAs(user)
  const browser = openBrowser(site)
  const callback = await browser.visit(await browser.begin({ id }))
  discord.setDown(true)
  await browser.end(callback)
  expect(await browser.sentence()).toBe(
    'Discord cannot be reached at the moment. Please try again later.',
  )
  discord.setDown(false)
  await ask(admin, 'provider.edit', { id, clientSecret: 'wrong' })
  await browser.go({ id })
  expect(await browser.sentence()).toBe(
    'Discord does not accept this site: its client ID or secret is wrong. Tell an admin.',
  )
  await ask(admin, 'provider.edit', { id, clientSecret: discord.client.secret })
})

describe('a role', () => {
  test('gives at a sign-in, and takes away with the role', async () => {
    const { browser, user, read, isInSquad } = await signUp(Object.values(ROLES))
    expect(await read()).toMatchObject({ isAdmin: 1, isTrustedUploader: 1 })
    expect(await isInSquad()).toBe(true)
    const log = await ask<{ items: object[] }>(admin, 'audit.list', { action: 'member.make-admin' })
    expect(log.items[0]).toMatchObject({ targetName: user.username, actorName: 'Clutch' })
    discord.setMember({ guildId, id: user.id }, [ROLES.uploader])
    await browser.go({ id })
    expect(await read()).toMatchObject({ isAdmin: 0, isTrustedUploader: 1 })
    expect(await isInSquad()).toBe(false)
  })

  test('takes away only what a role gave, and never the last admin', async () => {
    const { browser, user, read } = await signUp()
    await site.db
      .updateTable('users')
      .set({ isAdmin: 1 })
      .where('username', '=', user.username)
      .execute()
    discord.setMember({ guildId, id: user.id }, [ROLES.admin])
    await browser.go({ id })
    discord.setMember({ guildId, id: user.id }, [])
    await browser.go({ id })
    expect(await read()).toMatchObject({ isAdmin: 1 })

    await site.db
      .updateTable('users')
      .set({ isAdmin: 0 })
      .where('username', '=', user.username)
      .execute()
    discord.setMember({ guildId, id: user.id }, [ROLES.admin])
    await browser.go({ id })
    await site.db
      .updateTable('users')
      .set({ isAdmin: 0 })
      .where('username', '<>', user.username)
      .execute()
    discord.setMember({ guildId, id: user.id }, [])
    await browser.go({ id })
    expect(await read()).toMatchObject({ isAdmin: 1 })
    await site.db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', admin.id).execute()
    await browser.go({ id })
    expect(await read()).toMatchObject({ isAdmin: 0 })
  })

  test('lets uploads of a trusted uploader be seen without approval', async () => {
    const { approvalOf } = await import('#server/video/video/approval.ts')
    const { findStanding } = await import('#server/account/user/user.queries.ts')
    const { read } = await signUp([ROLES.uploader])
    const trusted = await findStanding(site.db, (await read()).id)
    const other = await findStanding(site.db, (await (await signUp()).read()).id)
    const rule = { uploadsNeedApproval: true }
    expect(approvalOf(trusted, rule)).toEqual({ contentApproved: 1, withheld: null })
    expect(approvalOf(other, rule)).toEqual({ contentApproved: 0, withheld: null })
  })

  test('takes away when the account is unlinked, or the provider removed', async () => {
    const { browser, user, read, isInSquad } = await signUp(Object.values(ROLES))
    await linkOnly(user.username)
    await browser.go({ id, purpose: 'confirm' })
    await browser.ask('settings.setPassword', { newPassword: 'correct horse' })
    await browser.go({ id, purpose: 'confirm' })
    const { identities } = await browser.ask<LinkedAccounts>('provider.linked')
    await browser.ask('provider.unlink', { id: identities[0]?.id })
    expect(await read()).toMatchObject({ isAdmin: 0, isTrustedUploader: 0 })
    expect(await isInSquad()).toBe(false)
    const told = await site.db
      .selectFrom('notifications')
      .select('title')
      .where('userId', '=', (await read()).id)
      .execute()
    expect(told).toContainEqual({ title: 'Discord was unlinked' })

    const other = await ask<{ id: number }>(admin, 'provider.create', {
      ...{ kind: 'discord', name: 'Other', issuer: discord.issuer },
      ...{ clientId: discord.client.id, clientSecret: discord.client.secret },
      ...{ makesAccounts: false, takesProfile: false, guildId },
      roleRules: [{ roleId: ROLES.uploader, gives: 'uploader' }],
    })
    discord.signInAs(user)
    await browser.go({ id: other.id, purpose: 'link' })
    expect(await read()).toMatchObject({ isTrustedUploader: 1 })
    await ask(admin, 'provider.remove', other)
    expect(await read()).toMatchObject({ isTrustedUploader: 0 })
  })

  test('needs the id of the server', async () => {
    expect(await refusal(admin, 'provider.edit', { id, guildId: null })).toBe(
      '400 Roles belong to a Discord server: enter its id.',
    )
    expect(await refusal(admin, 'provider.edit', { id, guildId: 'our server' })).toBe(
      '400 Discord IDs are numbers of 15 to 22 digits',
    )
  })
})

describe('once a day', () => {
  test('who left is signed out, keeps the link, and comes back with the server', async () => {
    const { browser, user, read, isInSquad } = await signUp([ROLES.squad, ROLES.uploader])
    const stays = await signUp()
    await look()
    discord.setMember({ guildId, id: user.id }, null)
    await look(0)
    expect(await browser.user()).toBe(user.username)
    await look(2)
    expect(await browser.user()).toBeUndefined()
    expect(await stays.browser.user()).toBe(stays.user.username)
    expect(await read()).toMatchObject({ isTrustedUploader: 0 })
    expect(await isInSquad()).toBe(false)
    discord.signInAs(user)
    await browser.go({ id })
    expect(await browser.sentence()).toBe(GONE)
    discord.setMember({ guildId, id: user.id }, [ROLES.squad])
    expect(await browser.go({ id })).toBe('/')
    expect(await isInSquad()).toBe(true)
    const linked = await browser.ask<LinkedAccounts>('provider.linked')
    expect(linked.identities).toHaveLength(1)
  })

  test('roles follow, and the token that Discord renews is kept', async () => {
    const { user, read } = await signUp()
    discord.setMember({ guildId, id: user.id }, [ROLES.uploader])
    await look(1)
    expect(await read()).toMatchObject({ isTrustedUploader: 1 })
    discord.setMember({ guildId, id: user.id }, [])
    await look(2)
    expect(await read()).toMatchObject({ isTrustedUploader: 0 })
  })

  test('who takes back the permission is signed out, but nobody while Discord is down', async () => {
    const { browser, user } = await signUp()
    discord.setDown(true)
    await look(1)
    discord.setDown(false)
    expect(await browser.user()).toBe(user.username)
    discord.revoke(user.id)
    await look(2)
    expect(await browser.user()).toBeUndefined()
  })

  test('a member stays when Discord fails between the new token and the answer', async () => {
    const { browser, user } = await signUp()
    discord.setApiDown(true)
    await look(1)
    discord.setApiDown(false)
    await look(2)
    await look(3)
    expect(await browser.user()).toBe(user.username)
  })

  test('a member whom Discord did not answer about is looked at again an hour later', async () => {
    const { browser, user, read } = await signUp()
    // The first in the round, which ends when Discord does not answer.
    await site.db
      .updateTable('identities')
      .set({ checkedAt: '2020-01-01T00:00:00.000Z' })
      .where('userId', '=', (await read()).id)
      .execute()
    discord.setApiDown(true)
    await look(1)
    discord.setApiDown(false)
    discord.setMember({ guildId, id: user.id }, null)
    await look(1 + 0.5 / 24)
    expect(await browser.user()).toBe(user.username)
    await look(1 + 1.1 / 24)
    expect(await browser.user()).toBeUndefined()
  })

  test('API tokens end with the only way in', async () => {
    const gone = await signUp()
    const other = await signUp()
    await linkOnly(other.user.username)
    const tokensOf = async ({ read }: typeof gone) =>
      site.db
        .selectFrom('apiTokens')
        .select('id')
        .where('userId', '=', (await read()).id)
        .execute()
    // A new password hash also ends the API tokens.
    await site.db
      .updateTable('users')
      .set({ password: 'some hash' })
      .where('username', '=', other.user.username)
      .execute()
    for (const { browser, user } of [gone, other]) {
      discord.signInAs(user)
      await browser.go({ id, purpose: 'confirm' })
      await browser.ask('apiToken.create', { name: 'Script', scope: 'read', days: null })
    }
    for (const { user } of [gone, other]) discord.setMember({ guildId, id: user.id }, null)
    await look(1)
    expect(await tokensOf(gone)).toEqual([])
    expect(await tokensOf(other)).toHaveLength(1)
  })

  test('who left a server that the account was created for comes in by no other way', async () => {
    const [gone, linked] = [await signUp(), await signUp()]
    await linkOnly(linked.user.username)
    const password = await hashPassword('correct horse')
    for (const { user } of [gone, linked]) {
      const { username } = user
      await site.db
        .updateTable('users')
        .set({ password })
        .where('username', '=', username)
        .execute()
      discord.setMember({ guildId, id: user.id }, null)
    }
    await look(1)
    const login = ({ user: { username } }: typeof gone) =>
      openBrowser(site).call('auth.login', {
        username,
        password: 'correct horse',
        rememberMe: true,
      })
    expect((await login(linked)).statusCode).toBe(200)
    const refused = await login(gone)
    expect([refused.statusCode, refused.json().error.message]).toEqual([403, LEFT])
    discord.signInAs(gone.user)
    discord.setMember({ guildId, id: gone.user.id }, [])
    expect(await gone.browser.go({ id })).toBe('/')
    expect((await login(gone)).statusCode).toBe(200)
  })

  test('a member cannot unlink the account that theirs was created with, but an admin can', async () => {
    const { browser, read } = await signUp([ROLES.uploader])
    await browser.go({ id, purpose: 'confirm' })
    await browser.ask('settings.setPassword', { newPassword: 'correct horse' })
    await browser.go({ id, purpose: 'confirm' })
    const { identities } = await browser.ask<LinkedAccounts>('provider.linked')
    expect(identities).toMatchObject([{ isHeld: true }])
    const refused = await browser.call('provider.unlink', { id: identities[0]?.id })
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      'Your account was created for members of a Discord server, so only an admin can unlink it.',
    ])
    expect(await read()).toMatchObject({ isTrustedUploader: 1 })
    const part = { userId: (await read()).id, id: identities[0]?.id }
    await ask(admin, 'member.unlink', part)
    const left = site.db.selectFrom('identities').where('userId', '=', part.userId).select('id')
    expect(await left.execute()).toEqual([])
  })

  test('who left is signed out at the next sign-in already', async () => {
    const { browser, user } = await signUp()
    const elsewhere = openBrowser(site)
    discord.setMember({ guildId, id: user.id }, null)
    await elsewhere.go({ id })
    expect(await elsewhere.sentence()).toBe(GONE)
    expect(await browser.user()).toBeUndefined()
  })

  test('who signed in before a server was entered is signed out, and others are looked at', async () => {
    const { roleRules } = await readRow(site.db, 'identityProviders', { id })
    await ask(admin, 'provider.edit', { id, guildId: null, roleRules: [] })
    const early = [await signUp(), await signUp()]
    await ask(admin, 'provider.edit', { id, guildId, roleRules: JSON.parse(roleRules) })
    const gone = await signUp()
    discord.setMember({ guildId, id: gone.user.id }, null)
    await look(1)
    for (const { browser } of [...early, gone]) expect(await browser.user()).toBeUndefined()
    discord.signInAs(early[0]?.user ?? gone.user)
    expect(await early[0]?.browser.go({ id })).toBe('/')
  })
})
