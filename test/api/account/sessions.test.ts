import { beforeEach, describe, expect, test } from 'vitest'
import { SESSION_DAYS, SESSION_DAYS_MAX } from '#shared/limits.ts'
import { followNotifications } from '#test/support/live-events.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const NEW_PASSWORD = 'battery staple'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask } = callsOf(site)
const admin = setUpAdmin(site)
let ann: TestMember
let round = 0
beforeEach(async () => {
  ann = await addMemberWithPassword(site, `ann-${++round}`)
})

const post = (path: string, payload: object, cookie?: string) =>
  site.post(`/api${path}`, { payload, ...(cookie !== undefined && { headers: { cookie } }) })
const logIn = (cookie?: string, password = PASSWORD) =>
  post('/login', { username: ann.username, password }, cookie)
const cookieOf = (answer: { cookies: { name: string; value: string }[] }) =>
  `clutch=${answer.cookies.find(({ name }) => name === 'clutch')?.value}`
const statusWith = async (cookie: string) =>
  (await site.get('/api/user', { headers: { cookie } })).statusCode

describe('a session', () => {
  test('that a user planted is not the one that a login starts, and ends with it', async () => {
    for (const planted of [ann.cookie, 'clutch=planted-by-another', `clutch=${'A'.repeat(43)}`]) {
      const own = cookieOf(await logIn(planted))
      expect(own).not.toBe(planted)
      expect([await statusWith(planted), await statusWith(own)]).toEqual([401, 200])
    }
    const sessions = await site.db
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', ann.id)
      .execute()
    expect(sessions).toHaveLength(3)
  })

  test('that a user planted is not the one that a registration starts', async () => {
    const name = `new-${round}`
    const account = { username: name, email: `${name}@example.org`, displayName: name }
    const answer = await post('/register', { ...account, password: PASSWORD }, ann.cookie)
    expect(answer.statusCode).toBe(201)
    expect([await statusWith(ann.cookie), await statusWith(cookieOf(answer))]).toEqual([401, 200])
  })

  test('has a token of 256 random bits, never the same', async () => {
    const cookies = [cookieOf(await logIn()), cookieOf(await logIn()), cookieOf(await logIn())]
    for (const cookie of cookies) expect(cookie).toMatch(/^clutch=[\w-]{43}$/)
    expect(new Set(cookies).size).toBe(3)
  })

  test('is not opened by what the database holds of it, nor by what the settings show', async () => {
    const sessions = await ask<{ id: string }[]>(ann, 'settings.sessions')
    const { id } = await readRow(site.db, 'sessions', { userId: ann.id })
    expect(await statusWith(`clutch=${id}`)).toBe(401)
    expect(await statusWith(`clutch=${sessions[0]?.id}`)).toBe(401)
  })

  test('ends after 180 days, however often it was renewed', async () => {
    const agedBy = async (days: number) => {
      const createdAt = new Date(Date.now() - days * 86_400_000).toISOString()
      const expiresAt = Math.floor(Date.now() / 1000) + SESSION_DAYS * 86_400
      const change = { createdAt, expiresAt }
      await site.db.updateTable('sessions').set(change).where('userId', '=', ann.id).execute()
      return statusWith(ann.cookie)
    }
    expect(await agedBy(SESSION_DAYS_MAX - 1)).toBe(200)
    expect(await agedBy(SESSION_DAYS_MAX + 1)).toBe(401)
  })
})

// Whoever copied a cookie before: what they can do with it afterwards.
describe('a copied cookie is worth nothing', () => {
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  const asAdmin = (name: string, input: object) => ask(admin, name, input)
  const ENDS: [by: string, end: () => Promise<unknown>][] = [
    ['logging out', () => post('/logout', {}, ann.cookie)],
    ['logging out by tRPC', () => ask(ann, 'auth.logout')],
    ['logging in again', () => logIn(ann.cookie)],
    ['a new password', () => ask(ann, 'settings.changePassword', change)],
    ['a ban', () => asAdmin('moderation.ban', { userId: ann.id, reason: 'Spam' })],
    [
      'a ban that was lifted',
      async () => {
        await asAdmin('moderation.ban', { userId: ann.id, reason: 'Spam' })
        await asAdmin('moderation.unban', { userId: ann.id })
      },
    ],
    [
      'a new password by link',
      async () => {
        const link = await asAdmin('member.resetPassword', { userId: ann.id })
        const { token } = link as { token: string }
        const input = { token, password: NEW_PASSWORD }
        await ask(undefined, 'auth.resetPassword', input)
      },
    ],
    [
      'being ended in the settings',
      async () => {
        const elsewhere = { ...ann, cookie: cookieOf(await logIn()) }
        type Session = { id: string; isCurrent: boolean }
        const name = 'settings.sessions'
        const sessions = await ask<Session[]>(elsewhere, name)
        const id = sessions.find(({ isCurrent }) => !isCurrent)?.id
        await ask(elsewhere, 'settings.endSession', { id })
      },
    ],
    ['deleting the account', () => ask(ann, 'settings.deleteAccount', { password: PASSWORD })],
  ]

  test.each(ENDS)('after %s', async (_, end) => {
    expect(await statusWith(ann.cookie)).toBe(200)
    await end()
    expect(await statusWith(ann.cookie)).toBe(401)
    const write = await callProcedure(site, {
      as: ann,
      name: 'playlist.create',
      input: { title: 'A' },
    })
    expect(write.statusCode).toBe(401)
  })
})

describe('a new password', () => {
  const change = (as: TestMember) =>
    callProcedure(site, {
      as,
      name: 'settings.changePassword',
      input: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    })

  test('goes on with a new session that is remembered as the old one was', async () => {
    const login = { username: ann.username, password: PASSWORD }
    const remembered = await post('/login', { ...login, rememberMe: true })
    const answer = await change({ ...ann, cookie: cookieOf(remembered) })
    expect(answer.cookies[0]).toMatchObject({ name: 'clutch', maxAge: SESSION_DAYS * 86_400 })
    expect(await statusWith(cookieOf(answer))).toBe(200)
    const again = await callProcedure(site, {
      as: { ...ann, cookie: cookieOf(await logIn(undefined, NEW_PASSWORD)) },
      name: 'settings.changePassword',
      input: { currentPassword: NEW_PASSWORD, newPassword: PASSWORD },
    })
    expect(again.cookies[0]).not.toHaveProperty('maxAge')
  })

  test('ends the links to a new password that were not used', async () => {
    const input = { userId: ann.id }
    const { token } = await ask<{ token: string }>(admin, 'member.resetPassword', input)
    const cookie = cookieOf(await logIn())
    expect((await change({ ...ann, cookie })).statusCode).toBe(200)
    const reset = await callProcedure(site, {
      name: 'auth.resetPassword',
      input: { token, password: 'a third password' },
    })
    expect(reset.statusCode).toBe(404)
  })
})

test('a live stream says nothing more once its session is over, and breaks off', async () => {
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await followNotifications(origin, ann)
  expect(await stream.next(10_000)).toBe(0)
  await post('/logout', {}, ann.cookie)
  site.deps.live.announce([ann.id])
  await expect(stream.next(10_000)).rejects.toThrow('The server ended the stream.')
  const again = await followNotifications(origin, ann)
  await expect(again.next(10_000)).rejects.toThrow('The server ended the stream.')
})

describe('the cookie', () => {
  const setCookies = async (secure: boolean) => {
    const settings = secure ? { secureCookies: true, publicUrl: 'https://clips.example' } : {}
    const other = await openTestSite(settings)
    const member = await addMemberWithPassword(other, 'ann')
    const name = secure ? '__Host-clutch' : 'clutch'
    const call = (path: string, payload: object, cookie = '') =>
      other.post(`/api${path}`, { payload, headers: { cookie } })
    const login = await call('/login', { username: 'ann', password: PASSWORD, rememberMe: true })
    const cookie = `${name}=${login.cookies[0]?.value}`
    const logout = await call('/logout', {}, cookie)
    const foreign = secure ? member.cookie : member.cookie.replace('clutch', '__Host-clutch')
    const url = '/api/user'
    const withForeign = await other.get(url, { headers: { cookie: foreign } })
    await other.close()
    return {
      set: [login.headers['set-cookie']]
        .flat()
        .map((text) => text?.replace(/=[\w.-]{43,};/, '=…;')),
      cleared: `${logout.headers['set-cookie']}`,
      otherName: withForeign.statusCode,
    }
  }

  test('is for scripts never to read and for this host alone over HTTPS', async () => {
    const { set, cleared, otherName } = await setCookies(true)
    expect(set).toEqual([
      '__Host-clutch=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-clutch-device=…; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    expect(cleared).toMatch(/^__Host-clutch=; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
    expect(otherName).toBe(401)
  })

  test('is the same over HTTP but for what needs HTTPS', async () => {
    const { set, cleared, otherName } = await setCookies(false)
    expect(set).toEqual([
      'clutch=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
      'clutch-device=…; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect(cleared).toMatch(/^clutch=; .*Path=\/; .*HttpOnly; SameSite=Lax$/)
    expect(otherName).toBe(401)
  })
})
