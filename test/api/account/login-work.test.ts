import { hash } from '@node-rs/argon2'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHashingQueue } from '#server/account/auth/hashing-queue.ts'
import { hashPassword, verifyPassword } from '#server/account/auth/password.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const NAMES = ['ann', 'ANN', 'nobody', 'banned', 'forgetful', 'not even a name']
/** Two are hashed and 500 wait. */
const HASHES_AT_ONCE = 502

const site = setUpTestSite({ rateLimitScale: 1000 })
const { call } = callsOf(site)
const admin = setUpAdmin(site)
beforeAll(async () => {
  await addMemberWithPassword(site, 'ann')
  const banned = await addMemberWithPassword(site, 'banned')
  const input = { userId: banned.id, reason: 'Spam' }
  await call(admin, 'moderation.ban', input)
  const forgetful = await addMemberWithPassword(site, 'forgetful')
  const reset = { userId: forgetful.id }
  await call(admin, 'member.resetPassword', reset)
})

const logIn = (username: string, password = 'wrong one') =>
  site.post('/api/login', { payload: { username, password } })

describe('a login that fails', () => {
  test.each(NAMES)('says the same for %s', async (username) => {
    const answer = await logIn(username)
    expect([answer.statusCode, answer.body]).toEqual([401, 'Invalid username or password.'])
    expect(answer.cookies).toEqual([])
  })

  test('reports a ban only to whoever knows the password', async () => {
    const answer = await logIn('banned', PASSWORD)
    expectSentence(answer, { status: 403, naming: 'banned. The reason: Spam' })
    expect(answer.cookies).toEqual([])
  })
})

const register = (username: string) =>
  site.post('/api/register', {
    payload: {
      username,
      email: `${username}@example.org`,
      displayName: 'New',
      password: PASSWORD,
    },
  })
const letIn = (registration: string) => call(admin, 'site.edit', { registration })

test.each(['closed', 'invite'])(
  'a registration that may not be says the same for a name in use and one that is free: %s',
  async (registration) => {
    await letIn(registration)
    const [taken, free] = [await register('ann'), await register('another')]
    await letIn('open')
    expectSentence(taken, { status: 403 })
    expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body])
  },
)

// What takes the time is the hash: who has to wait for one is refused, and nobody else is.
longTest(
  'while no more passwords can be hashed, names in use and free ones are refused alike',
  async () => {
    const full = fillHashingQueue()
    const logins = await Promise.all(NAMES.map((name) => logIn(name)))
    const registrations = [await register('ann'), await register('free')]
    await letIn('closed')
    const refused = [await register('ann'), await register('another')]
    await letIn('open')
    const input = { token: 'a-token-that-is-none-at-all', password: PASSWORD }
    const reset = await call(undefined, 'auth.resetPassword', input)
    await full.end()

    const statusesOf = (answers: { statusCode: number }[]) =>
      answers.map(({ statusCode }) => statusCode)
    expect(statusesOf(logins)).toEqual(NAMES.map(() => 429))
    for (const { body, headers } of [...logins, ...registrations]) {
      expect([body, headers['retry-after']]).toEqual([
        'Too many people are signing in at once. Please try again in a moment.',
        '5',
      ])
    }
    expect(statusesOf([...registrations, ...refused, reset])).toEqual([429, 429, 403, 403, 404])
    expect(statusesOf([await logIn('ann', PASSWORD), await register('free')])).toEqual([200, 201])
  },
)

/** Passwords that wait to be hashed, as many as may, and another for each that is done until it ends. */
function fillHashingQueue(): { end: () => Promise<unknown> } {
  let isOver = false
  const refill = async (): Promise<void> => {
    while (!isOver) await hashPassword(PASSWORD)
  }
  const filling = Array.from({ length: HASHES_AT_ONCE }, refill)
  return {
    end() {
      isOver = true
      return Promise.all(filling)
    },
  }
}

test('logins are logged without a password or the name of nobody', async () => {
  const lines: string[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  const other = await openTestSite({}, { logger })
  const member = await addMemberWithPassword(other, 'ann')
  const attempt = (username: string, password: string) =>
    other.post('/api/login', { payload: { username, password } })
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

test.each([
  ['more passes', await hash(PASSWORD, { memoryCost: 1024, timeCost: 10 })],
  ['more memory', await hash(PASSWORD, { memoryCost: 100_000, timeCost: 1 })],
  ['nothing', '-'],
])(
  'a hash from elsewhere that asks for %s opens nothing and is not computed',
  async (_, stored) => {
    expect(await verifyPassword(stored, PASSWORD)).toBe(false)
  },
)

test('more work than a queue may hold is refused with a sentence, and the rest is done in turn', async () => {
  const queue = createHashingQueue({ parallel: 2, waitingMax: 3 })
  const gate = Promise.withResolvers<void>()
  const order: number[] = []
  let [underWay, most] = [0, 0]
  const works = Array.from({ length: 7 }, (_, index) =>
    queue.run(async () => {
      order.push(index)
      most = Math.max(most, ++underWay)
      await gate.promise
      underWay--
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
  expect(most).toBe(2)
  expect(await queue.run(async () => 'there is room again')).toBe('there is room again')
})
