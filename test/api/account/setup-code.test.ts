import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { renewSetupCode } from '#server/account/auth/setup-code.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { longTest } from '#test/support/long-form.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { runCommand } from '#test/support/run-command.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { startServer } from '#test/support/server-process.ts'
import { openTestSite, type TestSite } from '#test/support/test-site.ts'

const account = (username: string) => ({
  username,
  email: `${username}@example.org`,
  displayName: username,
  password: 'correct horse',
})

describe('a site without an admin', () => {
  let site: TestSite
  let code: string
  beforeEach(async () => {
    site = await openTestSite()
    code = (await renewSetupCode(site.db)) ?? ''
  })
  afterEach(() => site.close())

  const register = (username: string, setupCode?: string | null, more: InjectOptions = {}) =>
    site.post('/api/register', { payload: { ...account(username), setupCode }, ...more })
  const countUsers = async () => (await site.db.selectFrom('users').select('id').execute()).length

  test('makes whoever registers without the code a plain member, from this machine too', async () => {
    for (const [name, setupCode] of [
      ['ann', undefined],
      ['bob', null],
    ] as const) {
      const answer = await register(name, setupCode)
      expect([answer.statusCode, answer.json().isAdmin]).toEqual([201, false])
    }
  })

  test('makes whoever registers with the code the admin, from any machine, once', async () => {
    expect((await register('early')).json().isAdmin).toBe(false)
    const far = { remoteAddress: '203.0.113.9', headers: { 'x-forwarded-for': '198.51.100.7' } }
    const chief = await register('chief', code, far)
    expect([chief.statusCode, chief.json().isAdmin]).toEqual([201, true])
    expectSentence(await register('late', code), { status: 403, naming: 'setup link' })
    expect(await countUsers()).toBe(2)
    const entries = await site.db
      .selectFrom('auditLog')
      .select(['action', 'targetName'])
      .where('action', '=', 'member.setup-admin')
      .execute()
    expect(entries).toEqual([{ action: 'member.setup-admin', targetName: 'chief' }])
  })

  test('refuses a wrong code with a sentence, and nothing is made', async () => {
    const older = code
    code = (await renewSetupCode(site.db)) ?? ''
    for (const wrong of ['nonsense', '', older, `${code}x`]) {
      expectSentence(await register('chief', wrong), { status: 403, naming: 'setup link' })
    }
    expect(await countUsers()).toBe(0)
    // A name that is taken does not use the code up.
    await register('ann')
    expect((await register('ann', code)).statusCode).toBe(409)
    expect((await register('chief', code)).json().isAdmin).toBe(true)
  })

  test('takes one admin, however many come with the code at the same moment', async () => {
    const names = ['one', 'two', 'three', 'four']
    const answers = await Promise.all(names.map((name) => register(name, code)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403, 403, 403])
    expect(await countUsers()).toBe(1)
  })

  test('lets the code in where registration is closed, and nobody else', async () => {
    await site.db.updateTable('siteSettings').set({ registration: 'closed' }).execute()
    expectSentence(await register('ann'), { status: 403, naming: 'closed' })
    expect((await register('chief', code)).json().isAdmin).toBe(true)
  })

  test('knows the code as a digest alone, and says without it that there is no admin', async () => {
    expect(code).toMatch(/^[\w-]{22}$/)
    const row = await site.db.selectFrom('siteSettings').selectAll().executeTakeFirstOrThrow()
    expect(row.setupCodeHash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(code)
    const door = () => answerOf(site, { name: 'auth.registration', input: {} })
    const open = { registration: 'open', inviteIsOpen: false, invitation: null }
    expect(await door()).toEqual({ ...open, needsAdmin: true })
    await register('chief', code)
    expect(await door()).toEqual({ ...open, needsAdmin: false })
  })

  test('ends the code with an admin who came another way', async () => {
    await site.addMember('chief', { isAdmin: true })
    expectSentence(await register('late', code), { status: 403 })
    expect(await renewSetupCode(site.db)).toBeUndefined()
    const row = await site.db.selectFrom('siteSettings').select('setupCodeHash').execute()
    expect(row).toEqual([{ setupCodeHash: null }])
  })
})

describe('the terminal', () => {
  let dataFolder: string
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'clutch-setup-'))
  })
  afterEach(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 5 }))

  const send = async (origin: string, body: object) => {
    const answer = await fetch(`${origin}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }

  longTest(
    'prints one link at each start until there is an admin, and only the last one counts',
    async () => {
      const first = await startServer({ dataFolder, env: { LOG_LEVEL: 'trace' } })
      const older = await first.setupCode()
      expect(first.output.join('')).toContain(`http://localhost:${first.port}/auth?setup=${older}`)
      await first.stop()
      const second = await startServer({
        dataFolder,
        env: { LOG_LEVEL: 'trace', PUBLIC_URL: 'https://clips.example' },
      })
      const code = await second.setupCode()
      const printed = `https://clips.example/auth?setup=${code}`
      expect(second.output.join('')).toContain(printed)
      expect(code).not.toBe(older)
      await fetch(`${second.origin}/auth?setup=${code}`, { headers: { host: 'clips.example' } })
      expect((await send(second.origin, { ...account('chief'), setupCode: older })).status).toBe(
        403,
      )
      const chief = await send(second.origin, { ...account('chief'), setupCode: code })
      expect([chief.status, JSON.parse(chief.text).isAdmin]).toEqual([201, true])
      // In what it printed, and in no line of the log.
      expect(second.output.join('').split(code)).toHaveLength(2)
      await second.stop()
      const third = await startServer({ dataFolder })
      await expect.poll(() => third.output.join('')).toContain('Clutch is ready')
      expect(third.output.join('')).not.toContain('setup=')
      await third.stop()
    },
  )

  longTest(
    'is done with its code when grant-admin has made an admin beside the running site',
    async () => {
      const server = await startServer({ dataFolder })
      const setupCode = await server.setupCode()
      await send(server.origin, account('ann'))
      expect(await runCommand('grant-admin', { dataFolder, args: ['ann'] })).toMatchObject({
        code: 0,
      })
      expect((await send(server.origin, { ...account('late'), setupCode })).status).toBe(403)
      const db = openDatabaseToRead(dataFolder)
      const entries = await db.selectFrom('auditLog').select(['action', 'targetName']).execute()
      expect(entries).toContainEqual({ action: 'member.grant-admin', targetName: 'ann' })
      await db.destroy()
      await server.stop()
    },
  )
})
