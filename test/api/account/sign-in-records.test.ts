import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAuditEntries } from '#server/platform/audit/audit.queries.ts'
import { callProcedure } from '#test/support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

type Line = { msg: string; status?: number; call?: string; userId?: number | null; method?: string }

let site: TestSite
let ann: TestMember
let written: string[]

beforeEach(async () => {
  written = []
  const stream = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  site = await openTestSite({ rateLimitScale: 1 }, { logger: { level: 'info', stream } })
  ann = await addMemberWithPassword(site, 'ann')
})
afterEach(() => site.close())

const lines = (msg: string) =>
  written.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg)
const logIn = (username: string, password: string, from = '198.51.100.1') =>
  site.post('/api/login', { payload: { username, password }, remoteAddress: from })
const entries = () =>
  site.db
    .selectFrom('auditLog')
    .select(['actorName', 'action', 'targetKind', 'targetName'])
    .orderBy('id')
    .execute()

describe('the audit log', () => {
  test('has logins and failed ones, and no name that was typed', async () => {
    await logIn('ANN', PASSWORD)
    await logIn('Ann', 'wrong one')
    await logIn('my-secret-password', 'wrong one')
    expect(await entries()).toEqual([
      { actorName: 'ann', action: 'member.login', targetKind: 'member', targetName: 'ann' },
      { actorName: 'Clutch', action: 'member.fail-login', targetKind: 'member', targetName: 'ann' },
      {
        ...{ actorName: 'Clutch', action: 'member.fail-login', targetKind: 'site' },
        targetName: 'an unknown name',
      },
    ])
    expect(written.join('')).not.toContain('my-secret-password')
    const acts = await listAuditEntries(site.db, { limit: 10, withLogins: false })
    expect(acts.items).toEqual([])
    expect((await listAuditEntries(site.db, { limit: 10, withLogins: true })).items).toHaveLength(3)
  })

  test('cannot be filled by failing', async () => {
    for (let time = 0; time < 30; time++) await logIn('nobody', 'wrong one', `198.51.100.${time}`)
    expect(await entries()).toHaveLength(10)
  })
})

describe('the program’s log', () => {
  test('has refused authorisation with the call and the member, once each, and no typed words', async () => {
    const typed = 'typed-by-another'
    await callProcedure(site, { as: ann, name: 'audit.list', input: { q: typed } })
    const input = { userId: 1, isAdmin: true }
    await callProcedure(site, { as: ann, name: 'moderation.setAdmin', input })
    await site.get(`/api/users/999/notifications?q=${typed}`, { as: ann })
    await site.post('/api/logout', { headers: { origin: 'https://evil.example' } })
    await expect.poll(() => lines('refused')).toHaveLength(4)
    const foreign = { origin: 'https://evil.example', host: 'localhost:80', publicUrl: null }
    expect(lines('refused')).toMatchObject([
      { status: 403, method: 'GET', call: 'audit.list', userId: ann.id },
      { status: 403, method: 'POST', call: 'moderation.setAdmin', userId: ann.id },
      { status: 403, method: 'GET', call: '/api/users/:userId/notifications', userId: ann.id },
      { status: 403, method: 'POST', call: '/api/logout', userId: null, ...foreign },
    ])
    expect(written.join('')).not.toContain(typed)
  })

  test('has reached limits, and not so many lines that they fill the disk', async () => {
    for (let time = 0; time < 400; time++) await site.get('/api/categories')
    await expect.poll(() => lines('limit reached')).toHaveLength(30)
    expect(lines('limit reached')[0]).toMatchObject({ status: 429, call: '/api/categories' })
  })
})
