import { beforeAll, expect, test } from 'vitest'
import type { RequestedDeviceCode } from '#shared/schemas/device-code.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, refusal } = callsOf(site)
let ann: TestMember
let bob: TestMember
beforeAll(async () => {
  ann = await site.addMember('ann')
  bob = await site.addMember('bob')
})

async function request(name = 'clutch on ANNS-PC', on = site): Promise<RequestedDeviceCode> {
  const answer = await on.post('/api/device/code', { payload: { name } })
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  return answer.json()
}

const claim = async (deviceCode: string) => {
  const { statusCode, body } = await site.post('/api/device/token', { payload: { deviceCode } })
  return statusCode === 200 ? JSON.parse(body) : `${statusCode} ${body}`
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const GONE = '404 This code was used or refused, or it has expired.'

test('a device gets one token, of the member who approved its code, that uploads and nothing else', async () => {
  const { deviceCode, userCode, ...rest } = await request()
  expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect(rest).toEqual({
    verificationUri: 'http://localhost/link',
    verificationUriComplete: `http://localhost/link?code=${userCode}`,
    expiresIn: 600,
    interval: 3,
  })
  expect(await claim(deviceCode)).toEqual({ state: 'pending' })

  const typed = { userCode: ` ${userCode.toLowerCase().replace('-', ' ')}` }
  const waiting = { userCode, name: 'clutch on ANNS-PC', address: '127.0.0.0/24' }
  expect(await ask(ann, 'deviceCode.find', typed)).toMatchObject(waiting)
  await ask(ann, 'deviceCode.approve', { ...typed, days: 30 })
  expect(await refusal(bob, 'deviceCode.find', typed)).toBe(GONE)
  expect(await refusal(bob, 'deviceCode.approve', { ...typed, days: 30 })).toBe(GONE)

  // Everybody may see the user code; only the device knows the rest.
  expect(await claim(`${userCode}.${'x'.repeat(43)}`)).toBe(GONE)
  const answers = await Promise.all([claim(deviceCode), claim(deviceCode), claim(deviceCode)])
  const approved = answers.filter(({ state }) => state === 'approved')
  expect(approved).toMatchObject([{ username: 'ann' }])
  expect(answers.filter((answer) => answer === GONE)).toHaveLength(2)
  expect(await claim(deviceCode)).toBe(GONE)

  const { token, expiresAt } = approved[0]
  expect(Date.parse(expiresAt) - Date.now()).toBeCloseTo(30 * 86_400_000, -6)
  expect((await site.get('/api/user', bearer(token))).json()).toMatchObject({ username: 'ann' })
  expect((await site.get('/api/videos', bearer(token))).statusCode).toBe(403)
  const [listed] = await ask<{ name: string; scope: string }[]>(ann, 'apiToken.list')
  expect(listed).toMatchObject({ name: 'clutch on ANNS-PC', scope: 'upload' })
  const rows = await site.db.selectFrom('signInSteps').selectAll().execute()
  expect(rows).toEqual([])

  expect((await site.delete('/api/token', { as: ann })).statusCode).toBe(400)
  expect((await site.delete('/api/token', bearer(token))).statusCode).toBe(204)
  expect((await site.delete('/api/token', bearer(token))).statusCode).toBe(401)
  expect(await ask(ann, 'apiToken.list')).toEqual([])
})

test('nothing of a code is stored that opens it, and an old one has expired', async () => {
  const { deviceCode, userCode } = await request()
  const rows = JSON.stringify(await site.db.selectFrom('signInSteps').selectAll().execute())
  const [, secret = ''] = deviceCode.split('.')
  for (const text of [secret, userCode, userCode.replace('-', '')]) expect(rows).not.toContain(text)
  const expiresAt = '2026-01-01T00:00:00.000Z'
  await site.db.updateTable('signInSteps').set({ expiresAt }).execute()
  expect(await claim(deviceCode)).toBe(GONE)
  expect(await refusal(ann, 'deviceCode.find', { userCode })).toBe(GONE)
  await site.db.deleteFrom('signInSteps').execute()
})

test('only a session that was just confirmed approves, and whoever refuses ends the code', async () => {
  const carl = await site.addMember('carl', { isConfirmed: false })
  const { deviceCode, userCode } = await request()
  const wish = { userCode, days: null }
  expect(await refusal(carl, 'deviceCode.approve', wish)).toMatch(/^403 Please confirm/)
  expect(await refusal(undefined, 'deviceCode.approve', wish)).toMatch(/^401 /)
  expect(await refusal(undefined, 'deviceCode.find', wish)).toMatch(/^401 /)
  expect(await claim(deviceCode)).toEqual({ state: 'pending' })
  await ask(carl, 'deviceCode.refuse', { userCode })
  expect(await claim(deviceCode)).toBe(GONE)
})

test('a code that was approved is worth nothing after a ban or at twenty tokens', async () => {
  const dora = await site.addMember('dora')
  const judge = await site.addMember('judge', { isAdmin: true })
  const first = await request()
  await ask(dora, 'deviceCode.approve', { userCode: first.userCode, days: null })
  await ask(judge, 'moderation.ban', { userId: dora.id, reason: 'Spam' })
  expect(await claim(first.deviceCode)).toMatch(/^403 This account is banned/)
  expect(await claim(first.deviceCode)).toBe(GONE)

  const emil = await site.addMember('emil')
  const second = await request()
  for (let count = 0; count < 20; count++) {
    await ask(emil, 'apiToken.create', { name: `Token ${count}`, scope: 'read', days: null })
  }
  const wish = { userCode: second.userCode, days: null }
  expect(await refusal(emil, 'deviceCode.approve', wish)).toMatch(/^409 You have 20 API tokens/)
  expect(await claim(second.deviceCode)).toEqual({ state: 'pending' })
})

test('codes are limited by address, and guesses by member', async () => {
  const strict = await openTestSite({ rateLimitScale: 1 })
  const member = await strict.addMember('ann')
  const calls = callsOf(strict)
  const { userCode } = await request('One', strict)
  for (let count = 1; count < 20; count++) await request(`No. ${count}`, strict)
  const more = await strict.post('/api/device/code', { payload: { name: 'One more' } })
  expect([more.statusCode, Number(more.headers['retry-after']) > 60]).toEqual([429, true])

  for (let count = 0; count < 20; count++) {
    expect(await calls.refusal(member, 'deviceCode.find', { userCode: 'BBBB-BBBB' })).toBe(GONE)
  }
  expect(await calls.refusal(member, 'deviceCode.find', { userCode })).toMatch(/^429 /)
  await strict.close()
})
