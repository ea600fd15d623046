import { describe, expect, test } from 'vitest'
import { readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite } from '#test/support/test-site.ts'

const site = setUpTestSite()

const ann = {
  username: 'Ann',
  email: 'ann@example.org',
  displayName: 'Ann of Rust',
  password: 'correct horse',
}

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  site.post(`/api${path}`, { payload, headers })

describe('registering', () => {
  test('answers the new user without the password and sets a session cookie', async () => {
    const answer = await post('/register', ann)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      username: 'Ann',
      email: 'ann@example.org',
      isAdmin: false,
    })
    expect(answer.body).not.toMatch(/password|argon2|correct horse/)
    expect(answer.cookies[0]).toMatchObject({ name: 'clutch', httpOnly: true, sameSite: 'Lax' })
    expect(answer.cookies[0]).not.toHaveProperty('maxAge')
  })

  test('stores an argon2id hash and only a digest of the session token', async () => {
    const { password } = await readRow(site.db, 'users', { username: 'ann' })
    expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const { id } = await site.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    expect(id).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    [{ username: 'ANN', email: 'other@example.org' }],
    [{ username: 'other', email: 'ANN@EXAMPLE.ORG' }],
  ])('refuses a taken username or email in another case: %o', async (taken) => {
    const answer = await post('/register', { ...ann, ...taken })
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toBe('Username or email is already in use.')
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test.each([
    [{ username: 'ab' }, 'Username must be at least 3 characters'],
    [{ username: 'a b c' }, 'Username may contain only'],
    [{ email: 'nobody' }, 'Please enter a valid email'],
    [{ displayName: ' a ' }, 'Display name must be at least 2 characters'],
    [{ password: '12345' }, 'Password must be at least 6 characters'],
    [{ username: 5 }, 'username must be text.'],
    [{ email: undefined }, 'email is missing.'],
  ])('refuses %o with a sentence', async (wrong, sentence) => {
    const answer = await post('/register', { ...ann, username: 'carl', email: 'c@d.ef', ...wrong })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(sentence)
  })
})

describe('logging in', () => {
  test('keeps the cookie for 30 days with "remember me" and for the browser session without', async () => {
    const login = { username: 'ann', password: ann.password }
    const remembered = await post('/login', { ...login, rememberMe: true })
    expect(remembered.statusCode).toBe(200)
    expect(remembered.cookies[0]).toMatchObject({ maxAge: 30 * 86_400 })
    expect((await post('/login', login)).cookies[0]).not.toHaveProperty('maxAge')
  })

  test('says the same for an unknown name and a wrong password', async () => {
    const wrong = await post('/login', { username: 'ann', password: 'wrong password' })
    const unknown = await post('/login', { username: 'nobody', password: 'wrong password' })
    expect([wrong.statusCode, wrong.body]).toEqual([401, 'Invalid username or password.'])
    expect([unknown.statusCode, unknown.body]).toEqual([401, 'Invalid username or password.'])
  })

  test('makes a session that logging out ends for good', async () => {
    const login = await post('/login', { username: 'ann', password: ann.password })
    const cookie = `clutch=${login.cookies[0]?.value}`
    const current = () => site.get('/api/user', { headers: { cookie } })
    expect((await current()).json()).toMatchObject({ username: 'Ann', email: 'ann@example.org' })
    expect((await current()).headers['cache-control']).toBe('no-store')
    expect((await post('/logout', {}, { cookie })).statusCode).toBe(204)
    expect((await current()).statusCode).toBe(401)
    expect((await post('/logout', {}, { cookie })).statusCode).toBe(204)
  })

  test('gives a Secure __Host- cookie when the site is reached over https', async () => {
    const secure = await openTestSite({ secureCookies: true, publicUrl: 'https://clips.example' })
    const answer = await secure.post('/api/register', { payload: ann })
    expect(answer.cookies[0]).toMatchObject({ name: '__Host-clutch', secure: true, path: '/' })
    await secure.close()
  })
})

describe('a request from another site', () => {
  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:3000/page', host: 'localhost:3000' }],
    [{ 'sec-fetch-site': 'cross-site' }],
  ])('is refused with %o', async (headers) => {
    const answer = await post('/login', { username: 'ann', password: ann.password }, headers)
    expect(answer.statusCode).toBe(403)
  })

  test('is one from the same host without the https of the site', async () => {
    const secure = await openTestSite({ secureCookies: true, publicUrl: 'https://clips.example' })
    const logOut = async (headers: Record<string, string>) =>
      (await secure.post('/api/logout', { headers })).statusCode
    const host = 'clips.example'
    expect(await logOut({ host, origin: 'http://clips.example' })).toBe(403)
    expect(await logOut({ host, origin: 'https://clips.example' })).toBe(204)
    expect(await logOut({ host: '10.0.0.7:3000', origin: 'http://10.0.0.7:3000' })).toBe(204)
    await secure.close()
  })

  test("passes with the site's own origin, and without either header", async () => {
    const login = { username: 'ann', password: ann.password }
    const own = { origin: 'http://localhost:3000', host: 'localhost:3000' }
    expect((await post('/login', login, own)).statusCode).toBe(200)
    expect((await post('/login', login)).statusCode).toBe(200)
  })
})
