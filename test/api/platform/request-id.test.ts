import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOf, callProcedure } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { openTestSite, type TestSite } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

let site: TestSite
const lines: string[] = []
beforeAll(async () => {
  const stream = new PassThrough()
  stream.on('data', (data) => lines.push(...`${data}`.trim().split('\n')))
  site = await openTestSite({}, { logger: { level: 'trace', stream } })
})
afterAll(() => site.close())

const logOf = (id: unknown) =>
  lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === id)

test('every answer has a name of its own, one from memory too, and never one that was sent', async () => {
  const headers = { 'x-request-id': 'chosen-elsewhere', 'request-id': 'chosen-elsewhere' }
  const ask = (url: string) => site.get(url, { headers })
  const answers = await Promise.all(['/api/videos', '/api/videos', '/api/nothing'].map(ask))
  answers.push(await ask('/api/videos'), await ask('/api/%E0%A4%A'))
  const ids = answers.map((answer) => `${answer.headers['x-request-id']}`)
  expect(new Set(ids).size).toBe(answers.length)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}$/)
  expect(logOf(ids[0])).toMatchObject([{ level: 20, status: 200, url: '/api/videos' }])
})

test('a failure of the server is in the log under the name that its answer has', async () => {
  await sql`ALTER TABLE "comments" RENAME TO "elsewhere"`.execute(site.db)
  const owner = await site.addMember('owner')
  const id = await site.addVideo(owner)
  const plain = await site.get(`/api/videos/${id}/comments`)
  const input = encodeURIComponent(JSON.stringify({ id }))
  const call = await site.get(`/trpc/comment.list?input=${input}`)
  await sql`ALTER TABLE "elsewhere" RENAME TO "comments"`.execute(site.db)
  await sql`ALTER TABLE "siteSettings" RENAME TO "elsewhere"`.execute(site.db)
  const page = await site.get('/feeds/videos.xml')
  await sql`ALTER TABLE "elsewhere" RENAME TO "siteSettings"`.execute(site.db)

  expect([page.statusCode, page.body]).toEqual([
    500,
    `Something went wrong on the server. Please try again.\nRequest ${page.headers['x-request-id']}`,
  ])
  expect([plain.statusCode, plain.body]).toEqual([
    500,
    'Something went wrong on the server. Please try again.',
  ])
  expect(call.statusCode).toBe(500)
  for (const [answer, msg] of [
    [plain, 'request failed'],
    [call, 'procedure failed'],
  ] as const) {
    const found = logOf(answer.headers['x-request-id'])
    expect(found).toContainEqual(expect.objectContaining({ level: 50, msg }))
    expect(JSON.stringify(found)).toMatch(/no such table|does not exist/)
  }
})

test('codes, tokens and passwords are in no line of the log, whatever becomes of the request', async () => {
  const admin = await site.addMember('ada', { isAdmin: true })
  await addMemberWithPassword(site, 'ann')
  const ann = await readRow(site.db, 'users', { username: 'ann' })
  const videoId = await site.addVideo(admin)
  const make = <Made>(name: string, input: object) =>
    answerOf<Made>(site, { as: admin, name, input })
  const invite = await make<{ id: number; code: string }>('invite.create', {
    ...{ uses: 5, days: null, note: '' },
  })
  const reset = await make<{ token: string }>('member.resetPassword', { userId: ann.id })
  const linkPassword = 'a password of a link'
  const link = await make<{ url: string }>('shareLink.create', {
    ...{ videoId, days: null, password: linkPassword },
  })
  const token = link.url.slice(link.url.lastIndexOf('/') + 1)
  const setupCode = 'a-code-for-the-setup-1'
  const newPassword = 'another battery staple'
  const headers = { referer: `http://localhost/auth?tab=register&invite=${invite.code}` }
  const ask = async () => {
    for (const url of [
      ...[
        `/auth?tab=register&invite=${invite.code}`,
        `/auth?setup=${setupCode}`,
        `/auth?${invite.code}`,
      ],
      ...[
        `/reset?token=${reset.token}`,
        `/reset/?reset=${reset.token}`,
        `/api/videos?tab=${invite.code}`,
        `/join/${invite.code}`,
        `/api/invites/${invite.code}/use`,
      ],
      ...[`/s/${token}`, `/s/${token}/`, `/%73/${token}`, `//s/${token}`, `/S/${token}?a`],
      ...[`/s/${token}/media/clip.mp4`, `/s/%2${token}`, `/api/nothing?password=${PASSWORD}`],
    ]) {
      await site.get(url, { headers })
    }
    const names = { username: 'new', email: 'new@example.org', displayName: 'New' }
    for (const payload of [
      ...[
        { ...names, password: PASSWORD, invite: invite.code },
        { ...names, invite: invite.code },
      ],
      ...[{ ...names, password: PASSWORD, setupCode }, `{"invite":"${invite.code}`],
    ]) {
      const type = { 'content-type': 'application/json' }
      const url = `/api/register?invite=${invite.code}`
      await site.post(url, { payload, headers: { ...headers, ...type } })
    }
    const payload = { username: 'ann', password: newPassword }
    await site.post('/api/login', { payload })
    for (const [name, input] of [
      ['auth.registration', { invite: invite.code }],
      ['auth.passwordReset', { token: reset.token }],
      ['auth.resetPassword', { token: reset.token, password: 'short' }],
      ['auth.resetPassword', { token: reset.token, password: newPassword }],
      ['shareLink.open', { token, password: linkPassword }],
      ['shareLink.open', { token, password: newPassword }],
      ['shareLink.video', { token, password: linkPassword, videoId }],
    ] as const) {
      await callProcedure(site, { name, input })
    }
  }
  for (const table of ['invites', 'passwordResets', 'shareLinks', 'users']) {
    await sql`ALTER TABLE ${sql.table(table)} RENAME TO "elsewhere"`.execute(site.db)
    await ask()
    await sql`ALTER TABLE "elsewhere" RENAME TO ${sql.table(table)}`.execute(site.db)
  }
  await ask()
  await make('invite.revoke', { id: invite.id })
  const audit = JSON.stringify(await site.db.selectFrom('auditLog').selectAll().execute())
  const log = lines.join('\n')
  expect(log).toContain('"url":"/auth?tab=register&…"')
  expect(log).toContain('"url":"/s/…"')
  expect(log.match(/"msg":"(request|procedure) failed"/g)?.length).toBeGreaterThan(10)
  const secrets = [invite.code, reset.token, token, linkPassword, setupCode, newPassword, PASSWORD]
  const told = secrets.filter((secret) =>
    [secret, encodeURIComponent(secret)].some((text) => `${log}${audit}`.includes(text)),
  )
  expect(told).toEqual([])
})

test('an address that is written wrongly shows no code in the log either', async () => {
  const code = 'a1b2c3d4e5f6'
  for (const url of [
    `/auth%3Finvite=${code}`,
    `/auth;invite=${code}`,
    `/auth&invite=${code}`,
    `/auth/invite=${code}`,
    `/auth=${code}`,
    `/reset/${code}`,
    `/x/../s/${code}`,
    `/s\\${code}`,
  ]) {
    const answer = await site.get(url)
    const logged = JSON.stringify(logOf(answer.headers['x-request-id']))
    expect(logged).toContain('…')
    expect(logged).not.toContain(code)
  }
})

test('what is sent with a file is in no line of the log', async () => {
  const ann = await site.addMember('uploader')
  const token = 'clutch_0123456789abcdefghijklmnopqrstuvwxyzABCDEF0'
  const form = new FormData()
  form.set('picture', new Blob(['no picture']), 'a.png')
  const body = new Response(form)
  const headers = {
    cookie: ann.cookie,
    'x-forwarded-authorization': `Bearer ${token}`,
    referer: 'http://localhost/auth?invite=a1b2c3d4e5f6',
    'content-type': `${body.headers.get('content-type')}`,
  }
  const payload = Buffer.from(await body.arrayBuffer())
  await site.post('/api/settings/avatar', { headers, payload })
  const log = lines.join('\n')
  expect(log).toContain('busboyOptions')
  const secrets = [token, `${ann.cookie.split('=')[1]}`, 'a1b2c3d4e5f6']
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})
