import { beforeEach, describe, expect, test } from 'vitest'
import { sessionIdOf } from '#server/account/auth/lucia.ts'
import { SESSION_DAYS, SESSION_DAYS_MAX, SESSIONS_MAX } from '#shared/limits.ts'
import { followNotifications } from '#test/support/live-events.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { followVideo } from '#test/support/video-events.ts'
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

let origin: Promise<string> | undefined
const listen = () => {
  origin ??= site.app.listen({ port: 0, host: '127.0.0.1' })
  return origin
}

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

describe('the row of a session that the browser does not remember', () => {
  const HOUR = 3600
  const endsIn = async () => {
    const { expiresAt } = await readRow(site.db, 'sessions', { userId: ann.id })
    return expiresAt - Date.now() / 1000
  }
  const begin = async (rememberMe: boolean) => {
    await site.db.deleteFrom('sessions').where('userId', '=', ann.id).execute()
    const login = { username: ann.username, password: PASSWORD, rememberMe }
    return cookieOf(await post('/login', login))
  }
  const move = (seconds: number) =>
    changeRows(site.db, 'sessions', {
      where: { userId: ann.id },
      values: { expiresAt: Math.floor(Date.now() / 1000) + seconds },
    })

  test('lives a day, and the others thirty', async () => {
    await begin(false)
    expect(await endsIn()).toBeGreaterThan(23.9 * HOUR)
    expect(await endsIn()).toBeLessThanOrEqual(24 * HOUR)
    await begin(true)
    expect(await endsIn()).toBeGreaterThan((SESSION_DAYS * 24 - 0.1) * HOUR)
  })

  test('is renewed in the second half of the day, and over at its end', async () => {
    const cookie = await begin(false)
    await move(12.5 * HOUR)
    expect(await statusWith(cookie)).toBe(200)
    expect(await endsIn()).toBeLessThan(13 * HOUR)
    await move(11.5 * HOUR)
    expect(await statusWith(cookie)).toBe(200)
    expect(await endsIn()).toBeGreaterThan(23.9 * HOUR)
    expect(await endsIn()).toBeLessThanOrEqual(24 * HOUR)
    await move(-1)
    expect(await statusWith(cookie)).toBe(401)
  })
})

test('a member has twenty sessions at most: another one ends the one used longest ago', async () => {
  const cookies = [ann.cookie]
  while (cookies.length < SESSIONS_MAX) cookies.push(cookieOf(await logIn()))
  // The second session was used longest ago.
  const [, second = ''] = cookies
  await site.db
    .updateTable('sessions')
    .set({ lastUsedAt: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', sessionIdOf(second.replace('clutch=', '')))
    .execute()
  const bob = await site.addMember(`bob-${round}`)
  const newest = cookieOf(await logIn())
  const states = await Promise.all([...cookies, newest, bob.cookie].map(statusWith))
  const over = [...cookies, newest].filter((_, index) => states[index] === 401)
  expect(over).toEqual([second])
  expect(states.at(-1)).toBe(200)
  expect(await ask<object[]>(ann, 'settings.sessions')).toHaveLength(SESSIONS_MAX)
})

describe('a confirmed password gives the session a new token', () => {
  const confirm = (as: TestMember) =>
    callProcedure(site, {
      as,
      name: 'settings.confirmPassword',
      input: { password: PASSWORD },
    })
  const makeToken = (cookie: string) =>
    callProcedure(site, {
      as: { ...ann, cookie },
      name: 'apiToken.create',
      input: { name: 'ShareX', scope: 'upload', days: null },
    })
  /** Simulates that the seconds in which the earlier token is accepted have passed. */
  const passSeconds = () =>
    site.db
      .updateTable('signInSteps')
      .set({ expiresAt: '2026-01-01T00:00:00.000Z' })
      .where('userId', '=', ann.id)
      .execute()

  test('and the earlier one is worth nothing some seconds later', async () => {
    const old = ann.cookie
    const cookie = cookieOf(await confirm(ann))
    expect(cookie).not.toBe(old)
    expect((await makeToken(cookie)).statusCode).toBe(200)
    await passSeconds()
    expect([await statusWith(old), await statusWith(cookie)]).toEqual([401, 200])
  })

  test('and requests already sent with the earlier one are answered, without what it allows', async () => {
    const old = ann.cookie
    await changeRows(site.db, 'sessions', {
      where: { userId: ann.id },
      values: { confirmedAt: null },
    })
    const cookie = cookieOf(await confirm(ann))
    expect(await statusWith(old)).toBe(200)
    expect((await makeToken(old)).statusCode).toBe(403)
    const upload = await site.post('/api/uploads/initialize', {
      as: { ...ann, cookie: old },
      payload: { fileName: 'clip.mp4', fileSize: 5, metadata: { title: 'A clip' } },
    })
    expect(upload.statusCode).toBe(201)
    expect(upload.headers['set-cookie']).toBeUndefined()
    expect(await statusWith(cookie)).toBe(200)
  })

  test('that is listed as the same session, and ends with it', async () => {
    const old = ann.cookie
    const cookie = cookieOf(await confirm(ann))
    const own = { ...ann, cookie }
    expect(await ask(own, 'settings.sessions')).toMatchObject([{ isCurrent: true }])
    await ask(own, 'auth.logout')
    expect([await statusWith(old), await statusWith(cookie)]).toEqual([401, 401])
  })

  test('once, where two windows ask at the same time', async () => {
    const answers = await Promise.all([confirm(ann), confirm(ann)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const given = answers.filter(({ cookies }) => cookies.length > 0)
    expect(given).toHaveLength(1)
    const cookie = given.map(cookieOf)[0] ?? ''
    await passSeconds()
    expect((await makeToken(cookie)).statusCode).toBe(200)
  })

  test('and a live stream goes on with it', async () => {
    const origin = await listen()
    const stream = await followNotifications(origin, ann)
    expect(await stream.next(10_000)).toBe(0)
    const cookie = cookieOf(await confirm(ann))
    await passSeconds()
    site.deps.live.announce([ann.id])
    // The page then reconnects with the new cookie.
    await expect(stream.next(10_000)).rejects.toThrow('The server ended the stream.')
    const again = await followNotifications(origin, { ...ann, cookie })
    expect(await again.next(10_000)).toBe(0)
  })
})

test('a live stream is not opened with a token that was replaced', async () => {
  const origin = await listen()
  const input = { password: PASSWORD }
  await callProcedure(site, { as: ann, name: 'settings.confirmPassword', input })
  const stream = await followNotifications(origin, ann)
  await expect(stream.next(10_000)).rejects.toThrow('The server ended the stream.')
  const id = await site.addVideo(ann, { title: 'Heli raid' })
  const page = await followVideo(origin, { id, as: ann })
  await expect(page.until(() => true, 10_000)).rejects.toThrow('The server ended the stream.')
})

test('another email, and the end of a session, need the password first', async () => {
  const other = await addMemberWithPassword(site, `carl-${round}`, { isConfirmed: false })
  const call = (name: string, input: object) => callProcedure(site, { as: other, name, input })
  const email = `new-${round}@example.org`
  const sessions = await ask<{ id: string }[]>(other, 'settings.sessions')
  for (const [name, input] of [
    ['settings.editProfile', { email }],
    ['settings.endSession', { id: sessions[0]?.id }],
  ] as const) {
    const refused = await call(name, input)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error.data).toMatchObject({ needsPassword: true })
  }
  // Saving the same email is not a change.
  const same = { email: `carl-${round}@example.org`, bio: 'I play.' }
  expect((await call('settings.editProfile', same)).statusCode).toBe(200)
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
        const confirmed = await callProcedure(site, {
          as: elsewhere,
          name: 'settings.confirmPassword',
          input: { password: PASSWORD },
        })
        elsewhere.cookie = cookieOf(confirmed)
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
  const origin = await listen()
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
