import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { answerOf, callProcedure } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1000 })
let round = 0
let admin: TestMember
let ann: TestMember
let backupId: number

beforeAll(async () => {
  const backup = { name: 'gone', cause: 'asked', state: 'done', startedAt: timestamp() } as const
  const made = await site.db.insertInto('backups').values(backup).returning('id').execute()
  backupId = made[0]?.id ?? 0
})
beforeEach(async () => {
  round++
  const unconfirmed = { isConfirmed: false }
  admin = await addMemberWithPassword(site, `admin${round}`, { isAdmin: true, ...unconfirmed })
  ann = await addMemberWithPassword(site, `ann${round}`, unconfirmed)
})

const ask = (as: TestMember, name: string, input?: object) =>
  answerOf(site, { as, name, ...(input && { input }) })
const call = (as: TestMember, name: string, input?: object) =>
  callProcedure(site, { as, name, ...(input && { input }) })
const confirm = async (as: TestMember, password = PASSWORD) => {
  const answer = await call(as, 'settings.confirmPassword', { password })
  as.cookie = `clutch=${answer.cookies[0]?.value}`
  return answer
}
const download = () => site.get(`/api/backups/${backupId}/download`, { as: admin })
const newToken = { name: 'ShareX', scope: 'upload', days: null }

// Each is refused before the password was typed, and not for that afterwards.
const GUARDED: [string, who: () => TestMember, input: () => object][] = [
  ['apiToken.create', () => ann, () => newToken],
  ['settings.endOtherSessions', () => ann, () => ({})],
  ['settings.editProfile', () => ann, () => ({ email: `new-${ann.username}@example.org` })],
  ['moderation.setAdmin', () => admin, () => ({ userId: ann.id, isAdmin: true })],
  ['member.endSessions', () => admin, () => ({ userId: ann.id })],
  ['member.resetPassword', () => admin, () => ({ userId: ann.id })],
  ['backup.prepareDownload', () => admin, () => ({ id: backupId })],
  ['worker.create', () => admin, () => ({ name: 'gaming-pc' })],
]

test.each(GUARDED)(
  '%s wants the password first, and says so in a way a page can act on',
  async (name, who, input) => {
    const refused = await call(who(), name, input())
    const { message, data } = refused.json().error
    expect([refused.statusCode, message]).toEqual([403, 'Please confirm your password first.'])
    expect(data).toMatchObject({ code: 'FORBIDDEN', httpStatus: 403, needsPassword: true })
    expect((await confirm(who())).statusCode).toBe(200)
    expect((await call(who(), name, input())).statusCode).toBe(200)
  },
)

test('a backup is not downloaded without it', async () => {
  expectSentence(await download(), { status: 403, naming: 'confirm your password' })
  await confirm(admin)
  expectSentence(await download(), { status: 404, naming: 'files of this backup' })
})

test('another refusal does not ask for the password', async () => {
  const refused = await call(ann, 'moderation.setAdmin', { userId: ann.id, isAdmin: true })
  expect(refused.json().error.data).toEqual({ code: 'FORBIDDEN', httpStatus: 403 })
})

describe('a confirmation', () => {
  const logIn = async (username: string) => {
    const payload = { username, password: PASSWORD }
    const answer = await site.post('/api/login', { payload })
    return `clutch=${answer.cookies[0]?.value}`
  }
  const makesToken = async (as: TestMember) =>
    (await call(as, 'apiToken.create', newToken)).statusCode === 200

  test('counts in its own session alone, and signing in is none', async () => {
    await confirm(ann)
    expect(await makesToken(ann)).toBe(true)
    const elsewhere = { ...ann, cookie: await logIn(ann.username) }
    expect(await makesToken(elsewhere)).toBe(false)
  })

  test('counts for ten minutes, by a clock that goes on', async () => {
    const setAge = (minutes: number) =>
      changeRows(site.db, 'sessions', {
        where: { userId: ann.id },
        values: { confirmedAt: timestamp(new Date(Date.now() - minutes * 60_000)) },
      })
    for (const [minutes, counts] of [
      [9.9, true],
      [10.1, false],
      [-1, false],
    ] as const) {
      await setAge(minutes)
      expect(await makesToken(ann)).toBe(counts)
    }
  })

  test('wants the right password, and is limited as logins are', async () => {
    const slow = await openTestSite({ rateLimitScale: 1 })
    const bob = await addMemberWithPassword(slow, 'bob', { isConfirmed: false })
    const tryPassword = (password: string) =>
      callProcedure(slow, { as: bob, name: 'settings.confirmPassword', input: { password } })
    for (let failure = 0; failure < 10; failure++) {
      const answer = await tryPassword('wrong one')
      const { message } = answer.json().error
      expect([answer.statusCode, message]).toEqual([403, 'The current password is not right.'])
    }
    expect((await tryPassword(PASSWORD)).statusCode).toBe(429)
    const payload = { username: 'bob', password: PASSWORD }
    expect((await slow.post('/api/login', { payload })).statusCode).toBe(429)
    await slow.close()
  })
})

describe('ending sessions', () => {
  const isIn = async (cookie: string) =>
    (await site.get('/api/user', { headers: { cookie } })).statusCode === 200
  const logIn = async (username: string) => {
    const payload = { username, password: PASSWORD }
    const answer = await site.post('/api/login', { payload })
    return `clutch=${answer.cookies[0]?.value}`
  }

  test('ends all of one’s own but this one', async () => {
    const others = [await logIn(ann.username), await logIn(ann.username)]
    await confirm(ann)
    await ask(ann, 'settings.endOtherSessions')
    expect(await Promise.all([ann.cookie, ...others].map(isIn))).toEqual([true, false, false])
    expect(await isIn(admin.cookie)).toBe(true)
  })

  test('is something an admin can do to a member without a ban, and is written down', async () => {
    const other = await logIn(ann.username)
    await confirm(admin)
    await ask(admin, 'member.endSessions', { userId: ann.id })
    expect(await Promise.all([ann.cookie, other, admin.cookie].map(isIn))).toEqual([
      false,
      false,
      true,
    ])
    expect(await isIn(await logIn(ann.username))).toBe(true)
    const entries = await site.db
      .selectFrom('auditLog')
      .select(['actorName', 'targetName'])
      .where('action', '=', 'member.end-sessions')
      .where('targetId', '=', ann.id)
      .execute()
    expect(entries).toEqual([{ actorName: admin.username, targetName: ann.username }])
  })

  test('comes with a link to a new password, but for the session that asks for it', async () => {
    const [others, own] = [await logIn(ann.username), await logIn(admin.username)]
    await confirm(admin)
    await ask(admin, 'member.resetPassword', { userId: ann.id })
    await ask(admin, 'member.resetPassword', { userId: admin.id })
    const cookies = [ann.cookie, others, own, admin.cookie]
    expect(await Promise.all(cookies.map(isIn))).toEqual([false, false, false, true])
  })
})

test('a link to a new password is checked by POST alone', async () => {
  const input = encodeURIComponent(JSON.stringify({ token: 'a-token-that-is-none-at-all' }))
  const url = `/trpc/auth.passwordReset?input=${input}`
  expect((await site.get(url)).statusCode).toBe(405)
})
