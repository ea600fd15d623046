import { hash, verify } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHashingQueue } from '#server/account/auth/hashing-queue.ts'
import { callProcedure } from '../support/procedure-call.ts'
import { expectSentence } from '../support/sentence.ts'
import { openTestSite, type TestMember, type TestSite } from '../support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '../support/world.ts'

// Watched, not replaced: what takes the time is the same for every name when the same work is done.
vi.mock('@node-rs/argon2', { spy: true })

let site: TestSite
let admin: TestMember
beforeAll(async () => {
  site = await openTestSite({ rateLimitScale: 1000 })
  admin = await site.addMember('admin', { isAdmin: true })
  await addMemberWithPassword(site, 'ann')
  const banned = await addMemberWithPassword(site, 'banned')
  const input = { userId: banned.id, reason: 'Spam' }
  await callProcedure(site, { as: admin, name: 'moderation.ban', input })
  const forgetful = await addMemberWithPassword(site, 'forgetful')
  const reset = { userId: forgetful.id }
  await callProcedure(site, { as: admin, name: 'member.resetPassword', input: reset })
})
afterAll(() => site.close())
beforeEach(() => {
  vi.mocked(hash).mockClear()
  vi.mocked(verify).mockClear()
})

const logIn = (username: string, password = 'wrong one') =>
  site.call({ method: 'POST', url: '/api/login', payload: { username, password } })

describe('a login that fails', () => {
  test.each(['ann', 'ANN', 'nobody', 'banned', 'forgetful', 'not even a name'])(
    'does the same work and says the same for %s',
    async (username) => {
      const answer = await logIn(username)
      expect([answer.statusCode, answer.body]).toEqual([401, 'Invalid username or password.'])
      expect(answer.cookies).toEqual([])
      expect([hash, verify].map((work) => vi.mocked(work).mock.calls.length)).toEqual([0, 1])
      const [stored, password] = vi.mocked(verify).mock.calls[0] ?? []
      expect(`${stored}`).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect(password).toBe('wrong one')
    },
  )

  test('reports a ban only to whoever knows the password', async () => {
    const answer = await logIn('banned', PASSWORD)
    expectSentence(answer, { status: 403, naming: 'banned. The reason: Spam' })
    expect(answer.cookies).toEqual([])
  })
})

describe('a registration', () => {
  const register = (username: string) =>
    site.call({
      method: 'POST',
      url: '/api/register',
      payload: {
        username,
        email: `${username}@example.org`,
        displayName: 'New',
        password: PASSWORD,
      },
    })
  const letIn = (registration: string) =>
    callProcedure(site, { as: admin, name: 'site.edit', input: { registration } })

  test('does the same work for a name in use and one that is free', async () => {
    expect((await register('ann')).statusCode).toBe(409)
    expect(vi.mocked(hash)).toHaveBeenCalledTimes(1)
    expect((await register('free')).statusCode).toBe(201)
    expect(vi.mocked(hash)).toHaveBeenCalledTimes(2)
  })

  test.each(['closed', 'invite'])(
    'that may not be is refused before its password is hashed, whatever the name: %s',
    async (registration) => {
      await letIn(registration)
      const [taken, free] = [await register('ann'), await register('another')]
      await letIn('open')
      expectSentence(taken, { status: 403 })
      expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body])
      expect(vi.mocked(hash)).not.toHaveBeenCalled()
    },
  )
})

test('logins are logged without a password or the name of nobody', async () => {
  const lines: string[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  const other = await openTestSite({}, { logger })
  const member = await addMemberWithPassword(other, 'ann')
  const attempt = (username: string, password: string) =>
    other.call({ method: 'POST', url: '/api/login', payload: { username, password } })
  await attempt('ann', 'wrong one')
  await attempt('hunter2 in the wrong field', 'wrong one')
  await attempt('ann', PASSWORD)
  await other.close()
  const logged = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ msg, userId, address }) => [msg, userId, address])
  expect(logged).toEqual([
    ['login failed', member.id, '127.0.0.1'],
    ['login failed', null, '127.0.0.1'],
    ['login', member.id, '127.0.0.1'],
  ])
  expect(lines.join('')).not.toMatch(/wrong one|hunter2|correct horse|argon2/)
})

test('a link to a new password that is none costs no work', async () => {
  const input = { token: 'a-token-that-is-none-at-all', password: PASSWORD }
  const answer = await callProcedure(site, { name: 'auth.resetPassword', input })
  expect(answer.statusCode).toBe(404)
  expect(vi.mocked(hash)).not.toHaveBeenCalled()
})

test('many logins at once are checked two at a time', async () => {
  let [underWay, most] = [0, 0]
  const { verify: check } = await vi.importActual<{ verify: typeof verify }>('@node-rs/argon2')
  vi.mocked(verify).mockImplementation(async (...input) => {
    most = Math.max(most, ++underWay)
    return check(...input).finally(() => underWay--)
  })
  const answers = await Promise.all(Array.from({ length: 30 }, () => logIn('ann', PASSWORD)))
  vi.mocked(verify).mockReset()
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(200))
  expect(most).toBe(2)
})

test('more work than a queue may hold is refused with a sentence, and the rest is done in turn', async () => {
  const queue = createHashingQueue({ parallel: 2, waitingMax: 3 })
  const gate = Promise.withResolvers<void>()
  const order: number[] = []
  const works = Array.from({ length: 7 }, (_, index) =>
    queue.run(async () => {
      order.push(index)
      await gate.promise
      return index
    }),
  )
  const settled = Promise.allSettled(works)
  gate.resolve()
  const refusal = {
    kind: 'too-many',
    message: 'Too many people are signing in at once. Please try again in a moment.',
    retryAfterSeconds: 5,
  }
  expect((await settled).slice(5)).toMatchObject([{ reason: refusal }, { reason: refusal }])
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(await queue.run(async () => 'there is room again')).toBe('there is room again')
})
