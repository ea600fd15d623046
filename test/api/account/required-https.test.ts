import { beforeAll, expect, test } from 'vitest'
import { callProcedure } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const PUBLIC_URL = 'https://clips.example'
const REFUSED = `This address is not encrypted. Please use ${PUBLIC_URL} instead.`

const site = setUpTestSite({
  ...{ publicUrl: PUBLIC_URL, secureCookies: true, trustedProxies: ['127.0.0.1'] },
  rateLimitScale: 1_000_000,
})
/** `HTTPS` goes through the proxy; `PLAIN` goes past it to an address of the local network. */
const HTTPS = { host: 'clips.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '8.8.8.8' }
const PLAIN = { host: '192.168.1.5:3000' }
let admin: TestMember
let ann: TestMember

const secure = (member: TestMember) => ({
  ...member,
  cookie: member.cookie.replace('clutch', '__Host-clutch'),
})
const call = (
  headers: Record<string, string>,
  { as, name, input }: { as?: TestMember; name: string; input: object },
) =>
  site.post(`/trpc/${name}`, {
    ...(as && { as }),
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  })
const switchTo = (needsHttps: boolean, headers: Record<string, string> = HTTPS) =>
  call(headers, { as: admin, name: 'signIn.edit', input: { needsHttps } })

beforeAll(async () => {
  admin = secure(await site.addMember('admin', { isAdmin: true }))
  ann = secure(await addMemberWithPassword(site, 'ann'))
})

test('is switched on only where https works', async () => {
  const open = await openTestSite({ publicUrl: 'http://clips.example' })
  const boss = await open.addMember('boss', { isAdmin: true })
  const name = 'signIn.edit'
  const refused = await callProcedure(open, { as: boss, name, input: { needsHttps: true } })
  await open.close()
  expect([refused.statusCode, refused.json().error.message]).toEqual([
    400,
    'To require https, set PUBLIC_URL to the https address first.',
  ])
  const past = await switchTo(true, PLAIN)
  expect([past.statusCode, past.json().error.message]).toEqual([
    400,
    `This request arrived without https. Open ${PUBLIC_URL}, or set TRUSTED_PROXY to the address of the proxy, before you require https.`,
  ])
  expect((await switchTo(true)).statusCode).toBe(200)
  await switchTo(false)
})

test('refuses passwords over plain HTTP, naming the right address, and takes them over https', async () => {
  const link = async () => {
    const input = { userId: ann.id }
    const made = await call(HTTPS, { as: admin, name: 'member.resetPassword', input })
    return made.json().result.data.token as string
  }
  const token = await link()
  ann = secure(await addMemberWithPassword(site, 'ann-2'))
  const cid = secure(await addMemberWithPassword(site, 'cid'))
  await changeRows(site.db, 'users', { where: { id: cid.id }, values: { password: '' } })
  const login = { name: 'auth.login', input: { username: 'ann-2', password: PASSWORD } }
  const names = { username: 'bob', email: 'bob@example.org', displayName: 'Bob' }
  const register = { name: 'auth.register', input: { ...names, password: PASSWORD } }
  const calls = [
    login,
    register,
    { as: ann, name: 'settings.confirmPassword', input: { password: PASSWORD } },
    { name: 'auth.passwordReset', input: { token } },
    { name: 'auth.resetPassword', input: { token, password: 'battery staple' } },
    {
      as: ann,
      name: 'settings.changePassword',
      input: { currentPassword: PASSWORD, newPassword: 'battery staple' },
    },
    { as: cid, name: 'settings.setPassword', input: { newPassword: 'battery staple' } },
  ]
  expect((await call(PLAIN, login)).statusCode).toBe(200)
  await switchTo(true)
  for (const asked of calls) {
    const refused = await call(PLAIN, asked)
    expect([asked.name, refused.statusCode, refused.json().error.message]).toEqual([
      ...[asked.name, 403, REFUSED],
    ])
    expect(refused.cookies).toEqual([])
  }
  const setOne = {
    as: ann,
    name: 'settings.setPassword',
    input: { newPassword: 'battery staple' },
  }
  const unset = await call(PLAIN, setOne)
  expect([unset.statusCode, unset.json().error.message]).toEqual([403, REFUSED])
  expect((await call(HTTPS, setOne)).json().error.message).toBe('You have a password already.')
  // Forwarded headers are ignored unless they come from the proxy's address.
  const forged = await site.post('/api/login', {
    payload: login.input,
    headers: HTTPS,
    remoteAddress: '192.168.1.77',
  })
  expect([forged.statusCode, forged.body]).toEqual([403, REFUSED])
  for (const asked of calls) {
    expect([asked.name, (await call(HTTPS, asked)).statusCode]).toEqual([asked.name, 200])
  }
})

test('refuses sign-ins by provider before they begin', async () => {
  await switchTo(true)
  const input = { id: 1, purpose: 'sign-in' }
  const refused = await call(PLAIN, { name: 'provider.begin', input })
  expect([refused.statusCode, refused.json().error.message]).toEqual([403, REFUSED])
  const account = { username: 'newcomer', email: 'n@example.org', displayName: 'Newcomer' }
  const register = await call(PLAIN, { name: 'provider.register', input: account })
  expect([register.statusCode, register.json().error.message]).toEqual([403, REFUSED])
  await switchTo(false)
})
