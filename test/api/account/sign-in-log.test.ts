import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openJar } from '#test/support/cookie-jar.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { enterStep, timeCodeOf } from '#test/support/time-codes.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

type Line = { msg: string; level: number } & Record<string, unknown>

const INFO = 30
const WARN = 40
const FROM = '198.51.100.7'

let site: TestSite
let admin: TestMember
let ann: TestMember
let written: string[] = []
let round = 0

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  site = await openTestSite(
    { rateLimitScale: 1, metricsToken: 'a-token-for-prometheus' },
    { logger: { level: 'info', stream } },
  )
  admin = await site.addMember('admin', { isAdmin: true })
})
beforeEach(async () => {
  site.deps.limits.writes.count = async () => {}
  ann = await addMemberWithPassword(site, `ann-${++round}`)
  written = []
})
afterAll(() => site.close())

const lines = (msg: string) =>
  written.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg)
const cookieOf = (answer: { cookies: { name: string; value: string }[] }) =>
  `clutch=${answer.cookies.find(({ name }) => name === 'clutch')?.value}`
const ask = <Output>(as: TestMember, name: string, input?: object) =>
  callsOf(site).ask<Output>(as, name, input)

test('sign-ins, sign-outs and confirmations are logged with the member and the address', async () => {
  const login = (password: string) =>
    site.post('/api/login', {
      payload: { username: ann.username, password },
      remoteAddress: FROM,
    })
  const own = { ...ann, cookie: cookieOf(await login(PASSWORD)) }
  await login('wrong one')
  await callProcedure(site, {
    as: own,
    name: 'settings.confirmPassword',
    input: { password: 'wrong one' },
  })
  const confirmed = await callProcedure(site, {
    as: own,
    name: 'settings.confirmPassword',
    input: { password: PASSWORD },
  })
  await site.post('/api/logout', { headers: { cookie: cookieOf(confirmed) } })
  const userId = ann.id
  expect(lines('login')).toMatchObject([{ level: INFO, userId, address: FROM }])
  expect(lines('login failed')).toMatchObject([{ level: WARN, userId, address: FROM }])
  expect(lines('wrong password in a session')).toMatchObject([{ level: WARN, userId }])
  expect(lines('password confirmed')).toMatchObject([{ level: INFO, userId }])
  expect(lines('logout')).toMatchObject([{ level: INFO, userId, address: '127.0.0.1' }])
  for (const secret of [PASSWORD, 'wrong one', own.cookie.replace('clutch=', '')]) {
    expect(written.join('')).not.toContain(secret)
  }
})

test('tokens, links, emails, passwords and ended sessions are logged, and none of their secrets', async () => {
  const input = { name: 'A secret name', scope: 'upload', days: null }
  const made = await ask<{ id: number; token: string }>(ann, 'apiToken.create', input)
  await ask(ann, 'apiToken.revoke', { id: made.id })
  const worker = await ask<{ id: number; token: string }>(admin, 'worker.create', { name: 'pc' })
  await ask(admin, 'worker.end', { id: worker.id })
  const email = `changed-${round}@example.org`
  await ask(ann, 'settings.editProfile', { email })
  await site.post('/api/login', { payload: { username: ann.username, password: PASSWORD } })
  const sessions = await ask<{ id: string; isCurrent: boolean }[]>(ann, 'settings.sessions')
  const other = sessions.find(({ isCurrent }) => !isCurrent)
  await ask(ann, 'settings.endSession', { id: other?.id })
  await ask(ann, 'settings.endOtherSessions')
  await ask(admin, 'member.endSessions', { userId: ann.id })
  const link = await ask<{ token: string }>(admin, 'member.resetPassword', { userId: ann.id })
  const password = 'another battery staple'
  await callProcedure(site, { name: 'auth.resetPassword', input: { token: link.token, password } })
  const again = cookieOf(
    await site.post('/api/login', { payload: { username: ann.username, password } }),
  )
  const change = { currentPassword: password, newPassword: PASSWORD }
  await ask({ ...ann, cookie: again }, 'settings.changePassword', change)

  const userId = ann.id
  const byAdmin = { userId, byUserId: admin.id }
  const token = { userId, tokenId: made.id }
  expect(lines('API token made')).toMatchObject([{ ...token, scope: 'upload' }])
  expect(lines('API token revoked')).toMatchObject([token])
  const workerToken = { userId: admin.id, workerId: worker.id }
  expect(lines('worker token made')).toMatchObject([workerToken])
  expect(lines('worker token revoked')).toMatchObject([workerToken])
  expect(lines('email changed')).toMatchObject([{ userId }])
  expect(lines('sessions ended')).toMatchObject([
    { userId, ended: 1, cause: 'asked' },
    { userId, ended: 0, cause: 'asked' },
    { ...byAdmin, ended: 1, cause: 'admin' },
  ])
  expect(lines('password link made')).toMatchObject([byAdmin])
  expect(lines('password set by link')).toMatchObject([{ userId }])
  expect(lines('password changed')).toMatchObject([{ userId }])
  const secrets = [made.token, worker.token, link.token, password, PASSWORD, email, input.name]
  expect(secrets.filter((secret) => written.join('').includes(secret))).toEqual([])
})

test('the reset of a second factor and the end of an account are logged', async () => {
  const { db } = site
  const at = timestamp()
  const [userId, address] = [ann.id, '127.0.0.1']
  await addRows(db, 'timeCodes', { userId, secret: 'A'.repeat(32), lastStep: 0, createdAt: at })
  await ask(admin, 'member.resetSecondFactor', { userId })
  const login = () =>
    site.post('/api/login', { payload: { username: ann.username, password: PASSWORD } })
  const own = { ...ann, cookie: cookieOf(await login()) }
  expect(lines('second factor reset')).toMatchObject([{ userId, byUserId: admin.id, address }])
  written = []
  await ask(own, 'settings.deleteAccount', { password: PASSWORD, inDays: 14 })
  const [step] = (await login()).cookies.filter(({ value }) => value !== '')
  const kept = await callProcedure(site, {
    as: { ...ann, cookie: `${step?.name}=${step?.value}` },
    name: 'auth.keepAccount',
  })
  const back = { ...ann, cookie: cookieOf(kept) }
  await ask(back, 'settings.deleteAccount', { password: PASSWORD, inDays: 0 })
  for (const msg of ['account to be deleted', 'account kept', 'account deleted']) {
    expect(lines(msg)).toMatchObject([{ level: INFO, userId, address }])
  }
  expect(lines('login')).toEqual([])
})

test('a second factor is logged, right or wrong, and no key or code', async () => {
  await enterStep()
  const browser = openJar(site, ann.cookie)
  const { secret } = await browser.ask<{ secret: string }>('security.beginTimeCodes')
  const code = timeCodeOf(secret)
  const { recoveryCodes } = await browser.ask<{ recoveryCodes: string[] }>(
    'security.confirmTimeCodes',
    { code },
  )
  const fresh = openJar(site)
  await fresh.call('auth.login', { username: ann.username, password: PASSWORD })
  const wrong = `${(Number(code) + 1) % 1_000_000}`.padStart(6, '0')
  await fresh.call('auth.finishSignIn', { code: wrong })
  const [recoveryCode = ''] = recoveryCodes
  await fresh.ask('auth.finishSignIn', { code: recoveryCode })
  await fresh.call('settings.confirmPassword', { password: PASSWORD, code: wrong })
  const userId = ann.id
  expect(lines('second factor changed')).toMatchObject([{ level: INFO, userId }])
  expect(lines('second factor of a login')).toMatchObject([{ level: INFO, userId }])
  expect(lines('login failed')).toMatchObject([{ level: WARN, userId, step: 2 }])
  expect(lines('login')).toMatchObject([{ level: INFO, userId }])
  expect(lines('wrong code in a session')).toMatchObject([{ level: WARN, userId }])
  const secrets = [secret, secret.replaceAll(' ', ''), recoveryCode, PASSWORD]
  const text = written.join('')
  expect(secrets.filter((one) => text.includes(one))).toEqual([])
  expect(text).not.toMatch(new RegExp(`\\b(?:${code}|${wrong})\\b`))
})

test('wrong tokens and unknown cookies are logged, and a flood of them is not', async () => {
  const bearer = 'Bearer clutch_this-token-is-of-nobody'
  const asks = [
    { url: '/api/user', headers: { authorization: bearer } },
    { url: '/metrics', headers: { authorization: bearer } },
  ]
  for (const { url, headers } of asks) await site.get(url, { headers, remoteAddress: FROM })
  await site.post('/api/worker/hello', { headers: { authorization: bearer }, remoteAddress: FROM })
  await expect
    .poll(() => lines('wrong token'))
    .toMatchObject([
      { level: WARN, kind: 'api', address: FROM },
      { level: WARN, kind: 'metrics', address: FROM },
      { level: WARN, kind: 'worker', address: FROM },
    ])
  const forged = ['x', 'A'.repeat(43), ...Array.from({ length: 50 }, (_, n) => `guess-${n}`)]
  for (const token of forged) {
    const headers = { cookie: `clutch=${token}` }
    await site.get('/api/user', { headers, remoteAddress: FROM })
  }
  for (let time = 0; time < 50; time++) {
    const headers = { authorization: bearer }
    await site.get('/api/user', { headers, remoteAddress: FROM })
  }
  expect(lines('unknown session cookie')).toMatchObject([
    { level: INFO, kind: 'malformed', address: FROM },
    { level: INFO, kind: 'ended or unknown', address: FROM },
    { level: INFO, kind: 'malformed', address: FROM },
  ])
  expect(lines('wrong token')).toHaveLength(30)
  expect(written.join('')).not.toMatch(/guess-|of-nobody|AAAA/)
})

test('a stranger at a private video, and invalid input, are noted, but not without end', async () => {
  const id = await site.addVideo(ann, { visibility: 'private' })
  const bob = await site.addMember(`bob-${round}`)
  const remoteAddress = '198.51.100.9'
  for (let time = 0; time < 20; time++) {
    await site.get(`/api/videos/${id}`, { as: bob, remoteAddress })
  }
  await site.patch(`/api/videos/${id}`, {
    as: ann,
    payload: { title: 'x' },
    remoteAddress: '198.51.100.10',
  })
  await expect.poll(() => lines('invalid input')).toHaveLength(1)
  expect(lines('not found')).toHaveLength(10)
  const call = '/api/videos/:id'
  expect(lines('not found')[0]).toMatchObject({
    ...{ level: INFO, status: 404, method: 'GET', call, id: `${id}`, userId: bob.id },
  })
  expect(lines('invalid input')).toMatchObject([
    { level: INFO, status: 400, method: 'PATCH', call, userId: ann.id },
  ])
})

test('a refused write of another site is logged with the reason', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  await site.post('/api/logout', { headers })
  await site.post('/api/logout', { headers: { origin: 'https://evil.example' } })
  await expect.poll(() => lines('refused')).toHaveLength(2)
  expect(lines('refused')).toMatchObject([
    { status: 403, reason: 'Sec-Fetch-Site', origin: null },
    { status: 403, reason: 'Origin', origin: 'https://evil.example' },
  ])
})
