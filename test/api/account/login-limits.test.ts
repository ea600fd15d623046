import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/account/auth/password.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { openTestSite, type TestSite } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

let site: TestSite
const open = async (rateLimitScale: number) => {
  site = await openTestSite({ rateLimitScale, trustedProxies: ['127.0.0.1'] })
  await addMemberWithPassword(site, 'ann')
}
beforeEach(() => open(1))
afterEach(() => site.close())

const logIn = (username: string, password: string, address = '198.51.100.1') =>
  site.post('/api/login', {
    payload: { username, password },
    headers: { 'x-forwarded-for': address },
  })
const register = (username: string, headers: Record<string, string> = {}) =>
  site.post('/api/register', {
    payload: { username, email: `${username}@example.org`, displayName: 'New', password: PASSWORD },
    headers,
  })
const expectTooMany = (answer: Awaited<ReturnType<typeof logIn>>) => {
  expectSentence(answer, { status: 429, naming: 'Too many failed attempts' })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(200)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(300)
}

describe('logging in', () => {
  test('is refused after ten failures for an account and address, also with the right password', async () => {
    for (let failure = 0; failure < 10; failure++) {
      expect((await logIn(failure % 2 ? 'ann' : 'ANN', 'wrong one')).statusCode).toBe(401)
    }
    expectTooMany(await logIn('ann', PASSWORD))
    expect((await logIn('ann', PASSWORD, '198.51.100.2')).statusCode).toBe(200)
  })

  test('is refused after fifteen failures from an address, whatever the account', async () => {
    for (let failure = 0; failure < 15; failure++) {
      expect((await logIn(`nobody-${failure}`, 'wrong one')).statusCode).toBe(401)
    }
    expectTooMany(await logIn('ann', PASSWORD))
    expect((await logIn('ann', PASSWORD, '198.51.100.2')).statusCode).toBe(200)
  })

  test('from one network of IPv6 is not many addresses', async () => {
    for (let failure = 0; failure < 15; failure++) {
      const answer = await logIn(`nobody-${failure}`, 'wrong one', `2001:db8::${failure + 1}`)
      expect(answer.statusCode).toBe(401)
    }
    expectTooMany(await logIn('ann', PASSWORD, '2001:db8::ffff'))
    expect((await logIn('ann', PASSWORD, '2001:db8:0:1::1')).statusCode).toBe(200)
  })

  const NOTATIONS: [string, (time: number) => string, string][] = [
    ['its ports', (time) => `203.0.113.5:${1000 + time}`, '203.0.113.5'],
    ['its ports of IPv6', (time) => `[2001:db8::${time + 1}]:${1000 + time}`, '2001:db8::ffff'],
    ['notations', (time) => (time % 2 ? '::ffff:203.0.113.5' : '::ffff:cb00:7105'), '203.0.113.5'],
    ['zones', (time) => `fe80::5%eth${time}`, 'fe80::5'],
    ['words that are no address', (time) => `unknown-${time}`, '127.0.0.1'],
    ['what it claims to forward', (time) => `198.51.100.${time}, 203.0.113.5`, '203.0.113.5'],
    ['hops', (time) => `198.51.100.9, word, 127.0.0.1:${1000 + time}, , 127.0.0.1`, '127.0.0.1'],
  ]
  // test/unit/client-address.test.ts has the other notations.
  const QUICK = ['its ports', 'what it claims to forward']
  test.each(quickCases(NOTATIONS, QUICK))(
    'from one address is not many by %s',
    async (_, write, address) => {
      for (let failure = 0; failure < 15; failure++) {
        const answer = await logIn(`nobody-${failure}`, 'wrong one', write(failure))
        expect(answer.statusCode).toBe(401)
      }
      expectTooMany(await logIn('ann', PASSWORD, write(15)))
      expectTooMany(await logIn('ann', PASSWORD, address))
      expect((await logIn('ann', PASSWORD, '203.0.113.6:1000')).statusCode).toBe(200)
    },
  )

  test('with the right password never uses the limits up', async () => {
    for (let time = 0; time < 20; time++) {
      expect((await logIn('ann', PASSWORD)).statusCode).toBe(200)
    }
  })

  test('in parallel gains nothing', async () => {
    const tries = Array.from({ length: 30 }, () => logIn('ann', 'wrong one'))
    const refused = (await Promise.all(tries)).filter((answer) => answer.statusCode === 429)
    expect(refused).toHaveLength(20)
  })

  longTest('in parallel with the right password is never refused', async () => {
    const tries = Array.from({ length: 25 }, () => logIn('ann', PASSWORD))
    expect((await Promise.all(tries)).filter((answer) => answer.statusCode !== 200)).toEqual([])
  })

  longTest('in parallel is no way around the limit of an address either', async () => {
    const tries = Array.from({ length: 30 }, (_, index) =>
      logIn(`nobody-${index % 6}`, 'wrong one'),
    )
    const statuses = (await Promise.all(tries)).map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
  })
})

describe('a browser that was sent to remember', () => {
  const rememberMe = async () => {
    const payload = { username: 'ann', password: PASSWORD, rememberMe: true }
    const answer = await site.post('/api/login', { payload })
    return answer.cookies.find(({ name }) => name === 'clutch-device')
  }
  const logInWith = (device: string | undefined, username: string, password: string) =>
    site.post('/api/login', {
      payload: { username, password },
      headers: { cookie: `clutch-device=${device}`, 'x-forwarded-for': '198.51.100.1' },
    })
  const exhaust = async () => {
    for (let failure = 0; failure < 10; failure++) await logIn('ann', 'wrong one')
    for (let failure = 0; failure < 5; failure++) await logIn(`nobody-${failure}`, 'wrong one')
    expectTooMany(await logIn('ann', PASSWORD))
  }

  test('lets its owner in while others at the same address are refused', async () => {
    const device = await rememberMe()
    expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', maxAge: 180 * 86_400 })
    await exhaust()
    expect((await logInWith(device?.value, 'ann', PASSWORD)).statusCode).toBe(200)
  })

  test('has ten failures of its own, and they are nobody else’s', async () => {
    const device = (await rememberMe())?.value
    for (let failure = 0; failure < 10; failure++) {
      expect((await logInWith(device, 'ann', 'wrong one')).statusCode).toBe(401)
    }
    expectTooMany(await logInWith(device, 'ann', PASSWORD))
    expect((await logIn('ann', PASSWORD)).statusCode).toBe(200)
  })

  test('helps nobody at another account, nor with a token that was changed or is from before a new password', async () => {
    const device = (await rememberMe())?.value ?? ''
    await addMemberWithPassword(site, 'bob')
    await exhaust()
    const forged = `${'A'.repeat(22)}${device.slice(22)}`
    for (const [token, name] of [
      [device, 'bob'],
      [forged, 'ann'],
      [device.slice(0, -2), 'ann'],
      ['', 'ann'],
    ] as const) {
      expectTooMany(await logInWith(token, name, PASSWORD))
    }
    const password = await hashPassword(PASSWORD)
    await site.db.updateTable('users').set({ password }).where('username', '=', 'ann').execute()
    expectTooMany(await logInWith(device, 'ann', PASSWORD))
  })

  test('is not remembered without being asked to, nor twice', async () => {
    expect((await logIn('ann', PASSWORD)).cookies.map(({ name }) => name)).toEqual(['clutch'])
    const device = (await rememberMe())?.value
    const payload = { username: 'ann', password: PASSWORD, rememberMe: true }
    const headers = { cookie: `clutch-device=${device}` }
    const again = await site.post('/api/login', { payload, headers })
    expect(again.cookies.map(({ name }) => name)).toEqual(['clutch'])
  })
})

describe('the current password', () => {
  const wrong = 'wrong one'
  const member = async () => {
    const session = await logIn('ann', PASSWORD)
    return { cookie: `${session.headers['set-cookie']}`.split(';')[0] ?? '' }
  }
  const ask = (name: string, payload: object, headers: Record<string, string>) =>
    site.post(`/trpc/settings.${name}`, {
      payload,
      headers: { 'x-forwarded-for': '198.51.100.1', ...headers },
    })

  test('cannot be guessed through a session that was stolen', async () => {
    const headers = await member()
    const change = { currentPassword: wrong, newPassword: 'battery staple' }
    for (let failure = 0; failure < 10; failure++) {
      const guess =
        failure % 2
          ? ask('changePassword', change, headers)
          : ask('deleteAccount', { password: wrong }, headers)
      expect((await guess).statusCode).toBe(403)
    }
    const right = { currentPassword: PASSWORD, newPassword: 'battery staple' }
    expect((await ask('changePassword', right, headers)).statusCode).toBe(429)
    expect((await ask('deleteAccount', { password: PASSWORD }, headers)).statusCode).toBe(429)
    expectTooMany(await logIn('ann', PASSWORD))
    const elsewhere = { ...headers, 'x-forwarded-for': '198.51.100.2' }
    expect((await ask('changePassword', right, elsewhere)).statusCode).toBe(200)
  })
})

describe('registering', () => {
  test('is allowed five times an hour from an address', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let time = 0; time < 5; time++) {
      expect((await register(`new-${time}`, from('198.51.100.1'))).statusCode).toBe(201)
    }
    const refused = await register('new-6', from('198.51.100.1'))
    expectSentence(refused, { status: 429, naming: 'accounts' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
    expect((await register('new-6', from('198.51.100.2'))).statusCode).toBe(201)
  })

  test('in parallel makes no more accounts', async () => {
    const tries = Array.from({ length: 12 }, (_, index) => register(`many-${index}`))
    const statuses = (await Promise.all(tries)).map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(7)
  })

  test('with names in use is allowed twenty times an hour, and uses up no account', async () => {
    for (let time = 0; time < 19; time++) expect((await register('ann')).statusCode).toBe(409)
    for (let time = 0; time < 3; time++) {
      expect((await register(`other-${time}`)).statusCode).toBe(201)
    }
    expect((await register('ANN')).statusCode).toBe(409)
    for (const name of ['ann', 'other-4']) {
      expectSentence(await register(name), { status: 429, naming: 'names that are in use' })
    }
  })
})

describe('RATE_LIMIT_SCALE', () => {
  const SCALES = [
    [0.2, 2],
    [0.1, 1],
    [1.5, 15],
  ] as const

  test.each(isLongForm ? SCALES : SCALES.slice(0, 1))(
    'of %d allows %i failures for an account',
    async (scale, failures) => {
      await site.close()
      await open(scale)
      for (let failure = 0; failure < failures; failure++) {
        expect((await logIn('ann', 'wrong one')).statusCode).toBe(401)
      }
      expectTooMany(await logIn('ann', 'wrong one'))
    },
  )

  test('does not change that three uploads may be open', async () => {
    await site.close()
    await open(1000)
    const as = await site.addMember('bob')
    const payload = { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip' } }
    const url = '/api/uploads/initialize'
    const statuses: number[] = []
    for (let time = 0; time < 4; time++) {
      statuses.push((await site.post(url, { as, payload })).statusCode)
    }
    expect(statuses).toEqual([201, 201, 201, 429])
  })
})

test('a forwarded address counts only from a proxy that is trusted', async () => {
  const direct = await openTestSite({ rateLimitScale: 1 })
  const answers: number[] = []
  for (let time = 0; time < 16; time++) {
    const answer = await direct.post('/api/login', {
      payload: { username: `nobody-${time}`, password: 'wrong one' },
      headers: { 'x-forwarded-for': `198.51.100.${time}` },
    })
    answers.push(answer.statusCode)
  }
  expect(answers.slice(0, 15).every((status) => status === 401)).toBe(true)
  expect(answers[15]).toBe(429)
  await direct.close()
})
