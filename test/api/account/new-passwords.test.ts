import { describe, expect, test } from 'vitest'
import { hashPassword } from '#server/account/auth/password.ts'
import { isCommonPassword } from '#server/account/new-password/common-passwords.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask } = callsOf(site)
const admin = setUpAdmin(site)

const COMMON = 'This password is known from lists of stolen passwords. Please choose another one.'
const OWN = 'Your password must not be your username, display name or email.'
const SITE = 'Your password must not be the name of this site.'

let count = 0
const register = (fields: object) => {
  const username = `member-${++count}`
  const account = { username, email: `${username}@example.org`, displayName: username }
  return site.post('/api/register', { payload: { ...account, password: PASSWORD, ...fields } })
}
const names = { username: 'ann.smith', email: 'annie@example.org', displayName: 'Ann of Kent' }

const REFUSED: [password: string, sentence: string][] = [
  ['password', COMMON],
  ['PassWord1', COMMON],
  ['123456', COMMON],
  ['qwerty', COMMON],
  ['letmein', COMMON],
  ['      ', 'A password that consists only of spaces is too easy to guess.'],
  ['zzzzzzzzzz', 'A password that repeats one character is too easy to guess.'],
  ['ann.smith', OWN],
  ['AnnSmith', OWN],
  ['2024ann-smith!!', OWN],
  ['annie@example.org', OWN],
  ['annie1990', OWN],
  ['ann of kent', OWN],
  ['Owl’s Nest', SITE],
  ['owls-nest-42', SITE],
  ['Clutch2026!', SITE],
]

describe('a new password', () => {
  test.each(REFUSED)('%j is refused at registration', async (password, sentence) => {
    await site.db.updateTable('siteSettings').set({ name: 'Owl’s Nest' }).execute()
    const refused = await register({ ...names, password })
    expect([refused.statusCode, refused.body]).toEqual([400, sentence])
  })

  test.each(['correct horse', 'annie and the owls', 'kent ann of', 'öäüßéñ'])(
    '%j is taken',
    async (password) => {
      const fields = { ...names, username: `ann.smith${++count}`, email: `annie@e${count}.org` }
      expect((await register({ ...fields, password })).statusCode).toBe(201)
    },
  )

  test('is refused alike where it is changed, set by a link, or that of the first admin', async () => {
    const ann = await addMemberWithPassword(site, 'changes-it')
    const change = (newPassword: string) =>
      callProcedure(site, {
        as: ann,
        name: 'settings.changePassword',
        input: { currentPassword: PASSWORD, newPassword },
      })
    const { token } = await ask<{ token: string }>(admin, 'member.resetPassword', {
      userId: (await site.addMember('forgot-it')).id,
    })
    const reset = (password: string) =>
      callProcedure(site, { name: 'auth.resetPassword', input: { token, password } })
    for (const [call, own] of [
      [change, 'changes-it'],
      [reset, 'forgotit99'],
    ] as const) {
      for (const [password, sentence] of [
        ['qwerty', COMMON],
        [own, OWN],
      ] as const) {
        const refused = await call(password)
        expect([refused.statusCode, refused.json().error.message]).toEqual([400, sentence])
      }
    }
    expect((await reset('battery staple')).statusCode).toBe(200)
    expect((await change('battery staple')).statusCode).toBe(200)
  })

  test('has at least as many characters as the admin asks for', async () => {
    await ask(admin, 'signIn.edit', { passwordMin: 15 })
    const short = await register({ password: 'fourteen chars' })
    expect([short.statusCode, short.body]).toEqual([400, 'Password must be at least 15 characters'])
    expect((await register({ password: 'fifteen chars..' })).statusCode).toBe(201)
    await ask(admin, 'signIn.edit', { passwordMin: 6 })
    expect((await register({ password: 'qx-7lw' })).statusCode).toBe(201)
    const five = await register({ password: 'fivef' })
    expect([five.statusCode, five.body]).toEqual([400, 'Password must be at least 6 characters'])
  })
})

test('members sign in and confirm with a password from before these rules', async () => {
  const old = await site.addMember('old-hand', { passwordHash: await hashPassword('123456') })
  await ask(admin, 'signIn.edit', { passwordMin: 20 })
  const payload = { username: 'old-hand', password: '123456' }
  expect((await site.post('/api/login', { payload })).statusCode).toBe(200)
  await changeRows(site.db, 'sessions', {
    where: { userId: old.id },
    values: { confirmedAt: null },
  })
  const confirmed = await callProcedure(site, {
    as: old,
    name: 'settings.confirmPassword',
    input: { password: '123456' },
  })
  expect(confirmed.statusCode).toBe(200)
  await ask(admin, 'signIn.edit', { passwordMin: 6 })
})

test('one in ten thousand others at most is taken for a common password', async () => {
  let mistaken = 0
  for (let n = 0; n < 50_000; n++) {
    if (await isCommonPassword(`${n} owls & ${n * 7} foxes`)) mistaken++
  }
  expect(mistaken).toBeLessThanOrEqual(5)
})
