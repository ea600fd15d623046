import { beforeEach, describe, expect, test } from 'vitest'
import { removeDueAccounts } from '#server/desk/account-deletion/account-deletion.service.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { formatDate } from '#shared/text/format.ts'
import { callsOf, procedureRequest } from '#test/support/procedure-call.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const DAY_MS = 86_400_000

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, refusal, statusOf } = callsOf(site)

let count = 0
let ann: TestMember
let keeper: TestMember
beforeEach(async () => {
  keeper = await addMemberWithPassword(site, `keeper-${++count}`, { isAdmin: true })
  ann = await addMemberWithPassword(site, `ann-${count}`)
})

const leave = (as: TestMember, input: object = { password: PASSWORD }) =>
  ask(as, 'settings.deleteAccount', { ...input, inDays: 14 })
const deletesAtOf = async ({ id }: TestMember) =>
  (await readRow(site.db, 'users', { id })).deletesAt
const logIn = ({ username }: TestMember) =>
  site.post('/api/login', { payload: { username, password: PASSWORD } })
const callWith = (cookie: string, name: string) =>
  site.call({ ...procedureRequest(name), headers: { 'content-type': 'application/json', cookie } })
/** Returns the answer and the cookie of the sign-in step. */
async function tryToSignIn(as: TestMember) {
  const answer = await logIn(as)
  const { name, value } = answer.cookies.find((cookie) => cookie.value !== '') ?? {}
  return { answer, cookie: `${name}=${value}` }
}
const makeDue = ({ id }: TestMember) =>
  changeRows(site.db, 'users', { where: { id }, values: { deletesAt: timestamp() } })
const exists = async ({ id }: TestMember) => (await listRows(site.db, 'users', { id })).length === 1

describe('an account that is to be deleted in 14 days', () => {
  test('ends its sessions and API tokens at once, and stays as it is for others', async () => {
    const videoId = await site.addVideo(ann)
    const { token } = await ask<{ token: string }>(ann, 'apiToken.create', {
      ...{ name: 'script', scope: 'read', days: null },
    })
    await logIn(ann)
    await leave(ann)
    const days = (Date.parse(`${await deletesAtOf(ann)}`) - Date.now()) / DAY_MS
    expect(days).toBeCloseTo(14, 2)
    expect(await listRows(site.db, 'sessions', { userId: ann.id })).toEqual([])
    expect((await site.get('/api/user', { as: ann })).statusCode).toBe(401)
    const asScript = { headers: { authorization: `Bearer ${token}` } }
    expect((await site.get('/api/user', asScript)).statusCode).toBe(401)
    expect(await statusOf(keeper, 'video.get', { id: videoId })).toBe(200)
    expect(await statusOf(undefined, 'user.get', { id: ann.id })).toBe(200)
    const input = { q: ann.username }
    const { items } = await ask<{ items: object[] }>(keeper, 'member.list', input)
    expect(items).toMatchObject([{ id: ann.id, deletesAt: await deletesAtOf(ann) }])
  })

  test('is not signed in to, but kept by whoever signs in', async () => {
    await leave(ann)
    const date = formatDate(`${await deletesAtOf(ann)}`)
    const { answer, cookie } = await tryToSignIn(ann)
    expect([answer.statusCode, answer.body]).toEqual([
      403,
      `This account will be deleted on ${date}. Sign in on the site to keep it.`,
    ])
    expect(cookie).not.toContain('clutch=')
    expect((await site.get('/api/user', { headers: { cookie } })).statusCode).toBe(401)
    const leaving = await callWith(cookie, 'auth.leaving')
    expect(leaving.json().result.data).toEqual({ deletesAt: await deletesAtOf(ann) })
    const kept = await callWith(cookie, 'auth.keepAccount')
    expect(kept.json().result.data).toMatchObject({ id: ann.id })
    const session = kept.cookies.find(({ name }) => name === 'clutch')?.value
    const own = { headers: { cookie: `clutch=${session}` } }
    expect((await site.get('/api/user', own)).statusCode).toBe(200)
    expect(await deletesAtOf(ann)).toBeNull()
    expect((await callWith(cookie, 'auth.keepAccount')).statusCode).toBe(410)
    await removeDueAccounts(site.deps, new Date(Date.now() + 30 * DAY_MS))
    expect(await exists(ann)).toBe(true)
  })

  test('is kept by nobody without the password, nor with the step of another account', async () => {
    await leave(ann)
    expect((await callWith('', 'auth.leaving')).json().result.data).toBeNull()
    expect((await callWith('clutch_step=made-up', 'auth.keepAccount')).statusCode).toBe(410)
    const wrong = { username: ann.username, password: 'not this one' }
    const answer = await site.post('/api/login', { payload: wrong })
    expect([answer.statusCode, answer.cookies]).toEqual([401, []])
    const { cookie } = await tryToSignIn(keeper)
    expect((await callWith(cookie, 'auth.keepAccount')).statusCode).toBe(410)
    expect(await deletesAtOf(ann)).not.toBeNull()
  })

  test('is deleted when the day has come, and not before', async () => {
    await leave(ann)
    await removeDueAccounts(site.deps)
    expect(await exists(ann)).toBe(true)
    await makeDue(ann)
    await removeDueAccounts(site.deps)
    expect(await exists(ann)).toBe(false)
    expect((await logIn(ann)).statusCode).toBe(401)
  })

  test('needs the password, or a confirmation within ten minutes', async () => {
    const wrong = { password: 'not this one', inDays: 14 }
    expect(await statusOf(ann, 'settings.deleteAccount', wrong)).toBe(403)
    const where = { userId: ann.id }
    await changeRows(site.db, 'sessions', { where, values: { confirmedAt: null } })
    const unconfirmed = '403 Please confirm your password first.'
    for (const inDays of [0, 14]) {
      expect(await refusal(ann, 'settings.deleteAccount', { inDays })).toBe(unconfirmed)
    }
    expect(await statusOf(ann, 'settings.deleteAccount', { inDays: 3 })).toBe(400)
    await changeRows(site.db, 'sessions', { where, values: { confirmedAt: timestamp() } })
    await leave(ann, {})
    expect(await deletesAtOf(ann)).not.toBeNull()
  })

  test('with a ban is not deleted, nor kept by its member', async () => {
    await leave(ann)
    const { cookie } = await tryToSignIn(ann)
    await ask(keeper, 'moderation.ban', { userId: ann.id, reason: 'Spam' })
    expect(await deletesAtOf(ann)).toBeNull()
    const refused = await callWith(cookie, 'auth.keepAccount')
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('banned')])
    await removeDueAccounts(site.deps, new Date(Date.now() + 30 * DAY_MS))
    expect(await exists(ann)).toBe(true)
    await ask(keeper, 'moderation.unban', { userId: ann.id })
    expect((await logIn(ann)).statusCode).toBe(200)
  })
})

test('the only admin who stays can neither leave nor be demoted', async () => {
  for (const { id } of await listRows(site.db, 'users', { isAdmin: 1 })) {
    if (id === keeper.id) continue
    await changeRows(site.db, 'users', { where: { id }, values: { isAdmin: 0 } })
  }
  const only = '409 You are the only admin. Make somebody else one first.'
  const input = { password: PASSWORD, inDays: 14 }
  expect(await refusal(keeper, 'settings.deleteAccount', input)).toBe(only)
  await ask(keeper, 'moderation.setAdmin', { userId: ann.id, isAdmin: true })
  await leave(keeper)
  expect(await refusal(ann, 'settings.deleteAccount', { password: PASSWORD })).toBe(only)
  await changeRows(site.db, 'users', { where: { id: ann.id }, values: { isAdmin: 0 } })
  await makeDue(keeper)
  await removeDueAccounts(site.deps)
  expect(await exists(keeper)).toBe(true)
  await changeRows(site.db, 'users', { where: { id: ann.id }, values: { isAdmin: 1 } })
  await removeDueAccounts(site.deps)
  expect(await exists(keeper)).toBe(false)
})
