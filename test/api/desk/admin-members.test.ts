import type { Updateable } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type { UsersTable } from '#server/platform/db/tables/account.ts'
import type { CreatedInvite, Invite, Member } from '#shared/schemas/desk/member.schemas.ts'
import type { Invitation } from '#shared/schemas/user.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000, userQuotaBytes: 1000 })
const admin = setUpAdmin(site)
const { ann } = setUpMembers(site, ['ann'], { hasPassword: true })

const { ask, refusal } = callsOf(site)
const register = (username: string, invite?: string) =>
  site.post('/api/register', {
    payload: {
      username,
      email: `${username}@example.org`,
      displayName: 'Newcomer',
      password: PASSWORD,
      ...(invite !== undefined && { invite }),
    },
  })
const logIn = (username: string, password: string) =>
  site.post('/api/login', { payload: { username, password } })

describe('the list of members', () => {
  test('is searched by name, sorted by storage and paged, and shows no email', async () => {
    for (const [name, storageBytes] of [
      ['quill', 10],
      ['quest', 30],
      ['quark', 20],
    ] as const) {
      const member = await site.addMember(`${name}${ann.id}`)
      await site.addVideo(member, { storageBytes })
    }
    type Page = { items: Member[]; nextCursor: string | null }
    const input = { q: 'QU', sort: 'storage', limit: 2 }
    const first = await ask<Page>(admin, 'member.list', input)
    expect(first.items.map((one) => [one.username, one.storageBytes, one.videoCount])).toEqual([
      [`quest${ann.id}`, 30, 1],
      [`quark${ann.id}`, 20, 1],
    ])
    const rest = { ...input, cursor: first.nextCursor }
    expect((await ask<Page>(admin, 'member.list', rest)).items).toMatchObject([
      { username: `quill${ann.id}` },
    ])
    expect(JSON.stringify(first)).not.toContain('example.org')
    const admins = await ask<Page>(admin, 'member.list', { show: 'admins' })
    expect(admins.items).toMatchObject([{ username: 'admin', isAdmin: true }])
  })

  test('names the banned, with the day of their deletion where that was chosen', async () => {
    const ban = { userId: ann.id, reason: 'Spam' }
    const banned = async () =>
      (await ask<{ items: Member[] }>(admin, 'member.list', { show: 'banned' })).items[0] as Member
    await ask(admin, 'moderation.ban', ban)
    expect(await banned()).toMatchObject({ banReason: 'Spam', deletedAfter: null })
    await ask(admin, 'moderation.unban', { userId: ann.id })
    await ask(admin, 'moderation.ban', { ...ban, deletesContent: true })
    const { bannedAt, deletedAfter, banReason } = await banned()
    expect(banReason).toBe('Spam')
    expect(Date.parse(`${deletedAfter}`) - Date.parse(`${bannedAt}`)).toBe(30 * 86_400_000)
  })
})

describe('a quota of one’s own', () => {
  const open = (fileSize: number) =>
    site.post('/api/uploads/initialize', {
      as: ann,
      payload: { fileName: 'a.mp4', fileSize, metadata: { title: 'A clip' } },
    })

  test('stands for the site’s, and can be taken back', async () => {
    expectSentence(await open(1001), { status: 413, naming: 'quota of 1KB' })
    await ask(admin, 'member.setQuota', { userId: ann.id, quotaBytes: 5000 })
    expect((await open(1001)).statusCode).toBe(201)
    await ask(admin, 'member.setQuota', { userId: ann.id, quotaBytes: null })
    expect((await open(1)).statusCode).toBe(413)
    await ask(admin, 'member.setQuota', { userId: ann.id, quotaBytes: 0 })
    expect((await open(1)).statusCode).toBe(413)
  })
})

describe('a link to a new password', () => {
  const link = async () =>
    (await ask<{ token: string }>(admin, 'member.resetPassword', { userId: ann.id })).token

  test('works once, ends the sessions, and an older one ends with it', async () => {
    const older = await link()
    const token = await link()
    expect(await refusal(undefined, 'auth.passwordReset', { token: older })).toMatch(/^404 This/)
    expect(await ask(undefined, 'auth.passwordReset', { token })).toEqual({
      username: ann.username,
    })
    const wish = { token, password: 'battery staple' }
    expect(await refusal(undefined, 'auth.resetPassword', { ...wish, password: 'short' })).toMatch(
      /^400 Password must be at least/,
    )
    await ask(undefined, 'auth.resetPassword', wish)
    expect(await refusal(undefined, 'auth.resetPassword', wish)).toMatch(/^404 This link was used/)
    expect((await site.get('/api/user', { as: ann })).statusCode).toBe(401)
    expect((await logIn(ann.username, PASSWORD)).statusCode).toBe(401)
    expect((await logIn(ann.username, 'battery staple')).statusCode).toBe(200)
  })

  test('is stored as a digest, and is over after a day', async () => {
    const token = await link()
    const rows = await site.db.selectFrom('passwordResets').select('tokenHash').execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    const expiresAt = '2020-01-01T00:00:00.000Z'
    await site.db.updateTable('passwordResets').set({ expiresAt }).execute()
    expect(await refusal(undefined, 'auth.passwordReset', { token })).toMatch(/^404/)
    expect(await refusal(undefined, 'auth.passwordReset', { token: 'x' })).toMatch(/^400 This link/)
  })
})

describe('registration', () => {
  const setMode = (registration: string) => ask(admin, 'site.edit', { registration })
  afterEach(() => setMode('open'))
  const invite = (input: object = {}) => ask<CreatedInvite>(admin, 'invite.create', input)

  test('that is closed lets nobody in, with an invite either', async () => {
    const { code } = await invite()
    await setMode('closed')
    const answer = await register(`new${ann.id}`, code)
    expectSentence(answer, { status: 403, naming: 'Registration is closed on this site.' })
    expect(await ask(undefined, 'site.settings')).toMatchObject({ registration: 'closed' })
  })

  test('by invite takes as many as the link says', async () => {
    await setMode('invite')
    expectSentence(await register(`new${ann.id}`), { status: 403, naming: 'need an invite link' })
    expectSentence(await register(`new${ann.id}`, 'nonsense'), { status: 403, naming: 'too old' })
    const { code, state } = await invite({ uses: 2, note: 'Our squad' })
    expect(state).toBe('open')
    expect((await register(`one${ann.id}`, code)).statusCode).toBe(201)
    // A name that is taken does not use it up.
    expect((await register(`one${ann.id}`, code)).statusCode).toBe(409)
    expect(await ask(undefined, 'auth.registration', { invite: code })).toEqual({
      registration: 'invite',
      inviteIsOpen: true,
      needsAdmin: false,
      invitation: { by: 'admin', people: expect.any(Array), peopleCount: expect.any(Number) },
    })
    expect((await register(`two${ann.id}`, code)).statusCode).toBe(201)
    expectSentence(await register(`three${ann.id}`, code), { status: 403, naming: 'used up' })
    const { invitation } = await ask<{ invitation: unknown }>(undefined, 'auth.registration', {
      invite: code,
    })
    expect(invitation).toBeNull()
    const { items } = await ask<{ items: Invite[] }>(admin, 'invite.list', { q: 'squad' })
    expect(items).toMatchObject([{ uses: 2, state: 'used-up', createdByName: 'admin' }])
  })

  test('with an invite shows who sent it and who is there, without those who are banned or leaving', async () => {
    await setMode('invite')
    const { code } = await invite()
    const read = async () => {
      const input = { invite: code }
      const answer = await ask<{ invitation: Invitation }>(undefined, 'auth.registration', input)
      return answer.invitation
    }
    const change = (values: Updateable<UsersTable>) =>
      changeRows(site.db, 'users', { where: { id: admin.id }, values })
    const avatarUrl = '/avatars/a.webp'
    await change({ avatarUrl })
    const before = await read()
    const face = { id: admin.id, displayName: 'admin', avatarUrl }
    expect(before).toMatchObject({ by: 'admin', people: expect.arrayContaining([face]) })
    await ask(admin, 'site.edit', { audience: 'members' })
    const closed = await read()
    expect(closed.people).toEqual(before.people.map((one) => ({ ...one, avatarUrl: null })))
    await ask(admin, 'site.edit', { audience: 'everybody' })
    const gone: Updateable<UsersTable>[] = [
      { bannedAt: timestamp() },
      { deletion: 'keep-comments' },
    ]
    for (const values of gone) {
      await change(values)
      const { by, people, peopleCount } = await read()
      expect([by, peopleCount]).toEqual([null, before.peopleCount - 1])
      expect(people).not.toContainEqual(face)
      await change({ bannedAt: null, deletion: null })
    }
    await change({ avatarUrl: null })
  })

  test('has the code of an invite once, and neither in the database nor in a list or the log', async () => {
    await setMode('invite')
    const { id, code } = await invite({ uses: 2 })
    await ask(admin, 'invite.revoke', { id })
    const rows = await site.db.selectFrom('invites').selectAll().execute()
    const audit = await site.db.selectFrom('auditLog').selectAll().execute()
    const listed = await ask(admin, 'invite.list', {})
    const other = await invite()
    for (const text of [rows, audit, listed].map((found) => JSON.stringify(found))) {
      expect(text).not.toContain(code)
    }
    // Whoever reads the hash in a backup cannot register with it.
    const { codeHash } = await readRow(site.db, 'invites', { id: other.id })
    expectSentence(await register(`new${ann.id}`, codeHash), { status: 403, naming: 'too old' })
    expect((await register(`new${ann.id}`, other.code)).statusCode).toBe(201)
  })

  test('ends for a link that is revoked or too old', async () => {
    await setMode('invite')
    const { id, code } = await invite({ uses: 5 })
    await ask(admin, 'invite.revoke', { id })
    expectSentence(await register(`new${ann.id}`, code), { status: 403 })
    expect(await refusal(admin, 'invite.revoke', { id })).toMatch(/^404/)
    const old = await invite({ days: 1 })
    const expiresAt = '2020-01-01T00:00:00.000Z'
    await site.db.updateTable('invites').set({ expiresAt }).where('id', '=', old.id).execute()
    expectSentence(await register(`new${ann.id}`, old.code), { status: 403 })
  })
})
