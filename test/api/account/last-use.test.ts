import { beforeEach, expect, test } from 'vitest'
import { readChangeCount } from '#server/platform/db/database.ts'
import { rangeOf } from '#server/platform/request/client-address.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

type Used = { lastUsedAt: string | null; address: string | null }
type Session = Used & { id: string; isCurrent: boolean; method: string }

const LONG_AGO = '2026-01-01T00:00:00.000Z'
const HERE = '203.0.113.77'

const site = setUpTestSite({ rateLimitScale: 1_000_000, trustedProxies: ['127.0.0.1'] })
const { ask, statusOf } = callsOf(site)

let ann: TestMember
let count = 0
beforeEach(async () => {
  ann = await addMemberWithPassword(site, `ann-${++count}`)
})

const from = (address: string, cookie = ann.cookie) =>
  site.get('/api/user', { headers: { cookie, 'x-forwarded-for': address } })
const age = () =>
  changeRows(site.db, 'sessions', { where: { userId: ann.id }, values: { lastUsedAt: LONG_AGO } })
const readSession = () => readRow(site.db, 'sessions', { userId: ann.id })

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2', '2001:db8:1::/48'],
  ['2001:db8:0:0', '2001:db8::/48'],
  ['fe80::1', 'fe80::/48'],
  ['', null],
])('of the network %s the range %s is stored', (network, range) => {
  expect(rangeOf(network)).toBe(range)
})

test('a session has when and from where it was used last, without a change that readers see', async () => {
  await age()
  const before = readChangeCount(site.db)
  await from(HERE)
  await until(async () => (await readSession()).lastUsedAt !== LONG_AGO)
  expect((await readSession()).address).toBe('203.0.113.0/24')
  expect(readChangeCount(site.db)).toBe(before)
  const { lastUsedAt } = await readSession()
  await from('198.51.100.1')
  const other = await addMemberWithPassword(site, `ben-${count}`)
  await changeRows(site.db, 'sessions', {
    where: { userId: other.id },
    values: { lastUsedAt: LONG_AGO },
  })
  await from(HERE, other.cookie)
  const ofOther = () => readRow(site.db, 'sessions', { userId: other.id })
  // The same write would also have changed the first session.
  await until(async () => (await ofOther()).lastUsedAt !== LONG_AGO)
  expect(await readSession()).toMatchObject({ lastUsedAt, address: '203.0.113.0/24' })
})

test('a new session has the range it was begun from', async () => {
  const payload = { username: ann.username, password: PASSWORD }
  const answer = await site.post('/api/login', { payload, headers: { 'x-forwarded-for': HERE } })
  const value = answer.cookies.find(({ name }) => name === 'clutch')?.value
  const here = { ...ann, cookie: `clutch=${value}` }
  const sessions = await ask<Session[]>(here, 'settings.sessions')
  expect(sessions).toMatchObject([
    { isCurrent: true, method: 'password', address: '203.0.113.0/24' },
    { isCurrent: false },
  ])
  expect(JSON.stringify(await listRows(site.db, 'sessions'))).not.toContain(HERE)
})

test('an API token has when and from where it was used last, and all can be revoked', async () => {
  const name = 'apiToken.create'
  const create = { name: 'script', scope: 'read', days: null }
  const { token } = await ask<{ token: string }>(ann, name, create)
  await ask(ann, name, create)
  const list = () => ask<Used[]>(ann, 'apiToken.list')
  const agent = { 'user-agent': `curl/8.5.0 ${'x'.repeat(2000)}` }
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': HERE, ...agent }
  await site.get('/api/user', { headers })
  await until(async () => (await list())[1]?.lastUsedAt !== null)
  expect(await list()).toMatchObject([
    { lastUsedAt: null, userAgent: null },
    { address: '203.0.113.0/24', userAgent: expect.stringMatching(/^curl\/8\.5\.0 x{100,490}$/) },
  ])
  const ben = await addMemberWithPassword(site, `ben-${count}`)
  await ask(ben, name, create)
  await ask(ann, 'apiToken.revokeAll')
  expect(await list()).toEqual([])
  expect(await ask<Used[]>(ben, 'apiToken.list')).toHaveLength(1)
  expect((await site.get('/api/user', { headers })).statusCode).toBe(401)
  await changeRows(site.db, 'sessions', {
    where: { userId: ben.id },
    values: { confirmedAt: null },
  })
  expect(await statusOf(ben, 'apiToken.revokeAll')).toBe(403)
})
