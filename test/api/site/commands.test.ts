import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const base = setUpFolder('commands')

async function post(server: ServerProcess, path: string, body: object) {
  const answer = await fetch(server.origin + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { status: answer.status, cookie, body: (await answer.json()) as Record<string, unknown> }
}

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())

describe('grant-admin', () => {
  test('makes a member an admin while the server runs', async () => {
    const register = (name: string) =>
      post(server, '/api/register', {
        username: name,
        email: `${name}@example.org`,
        displayName: name,
        password: 'correct horse',
      })
    await register('ann')
    const bob = await register('bob')
    expect(bob.body.isAdmin).toBe(false)
    const granted = await runCommand('grant-admin', { ...server, args: ['BOB'] })
    expect(granted).toMatchObject({ code: 0, out: 'bob is an admin now.\n' })
    const me = await fetch(`${server.origin}/api/user`, { headers: { cookie: bob.cookie } })
    expect(await me.json()).toMatchObject({ username: 'bob', isAdmin: true })
    const again = await runCommand('grant-admin', { ...server, args: ['bob'] })
    expect(again).toMatchObject({ code: 0, out: 'bob is an admin already.\n' })
  })

  test('says so when there is no such member, no name or no site', async () => {
    expect(await runCommand('grant-admin', { ...server, args: ['carl'] })).toMatchObject({
      code: 1,
      err: "There is no member named 'carl'.\n",
    })
    expect(await runCommand('grant-admin', server)).toMatchObject({
      code: 2,
      err: expect.stringContaining('npm run grant-admin -- USERNAME'),
    })
    const elsewhere = { dataFolder: join(base, 'nothing'), args: ['bob'] }
    expect(await runCommand('grant-admin', elsewhere)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no Clutch database in'),
    })
  })
})

describe('reset-password', () => {
  test('prints a link that works once beside the running site, and ends the sessions', async () => {
    const account = { username: 'rita', email: 'rita@example.org', displayName: 'Rita' }
    const rita = await post(server, '/api/register', { ...account, password: 'correct horse' })
    const printed = await runCommand('reset-password', { ...server, args: ['RITA'] })
    expect(printed).toMatchObject({ code: 0, err: '' })
    const token = /http:\/\/localhost:3000\/reset#([\w-]{43})\n/.exec(printed.out)?.[1]
    expect(printed.out).toContain('With this link rita sets a new password')
    const me = await fetch(`${server.origin}/api/user`, { headers: { cookie: rita.cookie } })
    expect(me.status).toBe(401)
    const password = 'battery staple'
    expect((await post(server, '/trpc/auth.resetPassword', { token, password })).status).toBe(200)
    expect((await post(server, '/trpc/auth.resetPassword', { token, password })).status).toBe(404)
    expect((await post(server, '/api/login', { username: 'rita', password })).status).toBe(200)
    const db = openDatabaseToRead(server.dataFolder)
    const entries = await db.selectFrom('auditLog').select(['actorName', 'action']).execute()
    await db.destroy()
    expect(entries).toContainEqual({ actorName: 'Clutch', action: 'member.reset-password' })
  })

  longTest('leaves the link as the only way in with --all-ways', async () => {
    const account = { username: 'rolf', email: 'rolf@example.org', displayName: 'Rolf' }
    await post(server, '/api/register', { ...account, password: 'correct horse' })
    const db = openDatabase(server.dataFolder)
    const where = db.selectFrom('users').select('id').where('username', '=', 'rolf')
    const { id: userId } = await where.executeTakeFirstOrThrow()
    const codes = { userId, secret: 'A'.repeat(32), lastStep: 0, createdAt: timestamp() }
    await db.insertInto('timeCodes').values(codes).execute()
    const args = ['rolf', '--all-ways']
    const printed = await runCommand('reset-password', { ...server, args })
    expect(printed).toMatchObject({ code: 0, err: '' })
    expect(printed.out).toContain('Password, passkeys, authenticator app, linked accounts and API')
    const token = /\/reset#([\w-]{43})\n/.exec(printed.out)?.[1]
    const told = await db.selectFrom('notifications').select(['userId', 'title']).execute()
    expect(told).toContainEqual({ userId, title: 'An admin reset how you sign in' })
    expect(await db.selectFrom('timeCodes').select('userId').execute()).toEqual([])
    await db.destroy()
    const login = async (password: string) => {
      const body = JSON.stringify({ username: 'rolf', password })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${server.origin}/api/login`, { method: 'POST', headers, body })).status
    }
    expect(await login('correct horse')).toBe(401)
    const password = 'battery staple'
    expect((await post(server, '/trpc/auth.resetPassword', { token, password })).status).toBe(200)
    expect(await login(password)).toBe(200)
  })

  longTest('says so when there is no such member or no name', async () => {
    expect(await runCommand('reset-password', { ...server, args: ['carl'] })).toMatchObject({
      code: 1,
      err: "There is no member named 'carl'.\n",
    })
    expect(await runCommand('reset-password', server)).toMatchObject({
      code: 2,
      err: expect.stringContaining('npm run reset-password -- USERNAME'),
    })
  })
})

describe('reset-second-factor', () => {
  test('removes passkeys and codes beside the running site, tells the member and ends the sessions', async () => {
    const account = { username: 'tess', email: 'tess@example.org', displayName: 'Tess' }
    const tess = await post(server, '/api/register', { ...account, password: 'correct horse' })
    const reset = () => runCommand('reset-second-factor', { ...server, args: ['TESS'] })
    expect(await reset()).toMatchObject({ code: 1, err: 'This member has no two-step sign-in.\n' })
    const db = openDatabase(server.dataFolder)
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'tess')
      .executeTakeFirstOrThrow()
    const codes = { userId: id, secret: 'A'.repeat(32), lastStep: 0, createdAt: timestamp() }
    await db.insertInto('timeCodes').values(codes).execute()
    const login = { username: 'tess', password: 'correct horse' }
    const logIn = async () => {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(login) }
      return (await fetch(`${server.origin}/api/login`, sent)).status
    }
    expect(await logIn()).toBe(401)
    expect(await reset()).toMatchObject({
      code: 0,
      out: 'tess has no two-step sign-in now, and is logged out everywhere.\n',
    })
    const me = await fetch(`${server.origin}/api/user`, { headers: { cookie: tess.cookie } })
    expect(me.status).toBe(401)
    expect(await logIn()).toBe(200)
    const told = await db.selectFrom('notifications').select('title').execute()
    expect(told).toContainEqual({ title: 'An admin reset your two-step sign-in' })
    const entries = await db.selectFrom('auditLog').select(['actorName', 'action']).execute()
    await db.destroy()
    expect(entries).toContainEqual({ actorName: 'Clutch', action: 'member.reset-second-step' })
  })
})

const SIZE = ['--users', '30', '--videos', '120', '--comments', '400', '--until', '2026-11-01']

/** Every row of a table, without what is different on every site. */
async function readRows(dataFolder: string, table: keyof Schema): Promise<object[]> {
  const db = openDatabaseToRead(dataFolder)
  const rows = await db.selectFrom(table).selectAll().execute()
  await db.destroy()
  return rows.map(({ password: _, ...row }: Record<string, unknown>) => row)
}

describe('seed', () => {
  longTest('makes the same rows for the same arguments, and others for another seed', async () => {
    const folders = ['one', 'two', 'three'].map((name) => join(base, name))
    const seeds = ['7', '7', '8']
    const runs = folders.map((dataFolder, index) =>
      runCommand('seed', { dataFolder, args: [...SIZE, '--seed', seeds[index] as string] }),
    )
    for (const { code, err } of await Promise.all(runs))
      expect({ code, err }).toEqual({ code: 0, err: '' })
    const [one, two, three] = folders as [string, string, string]
    const tables = [
      ['users', 30],
      ['videos', 120],
      ['comments', 400],
      ['likes', 100],
      ['subscriptions', 30],
      ['notifications', 1],
      ['dailyViews', 1],
    ] as const
    for (const [table, least] of tables) {
      const rows = await readRows(one, table)
      expect(rows.length).toBeGreaterThanOrEqual(least)
      expect(await readRows(two, table)).toEqual(rows)
      expect(await readRows(three, table)).not.toEqual(rows)
    }
    expect(await runCommand('doctor', { dataFolder: one })).toMatchObject({ code: 0, err: '' })
  })

  longTest(
    'fills a site whose videos play and whose first member can sign in as its admin',
    async () => {
      const path = join(base, 'clip.mp4')
      await makeClip({ path, seconds: 3 })
      const dataFolder = join(base, 'playing')
      const seeded = await runCommand('seed', { dataFolder, args: [...SIZE, '--media', path] })
      expect(seeded).toMatchObject({ code: 0, err: '' })
      const username = /Log in as ([^,]+),/.exec(seeded.out)?.[1]
      const server = await startServer({ dataFolder })
      try {
        const running = await runCommand('seed', { dataFolder, args: SIZE })
        expect(running).toMatchObject({ code: 1, err: expect.stringContaining('Stop it first.') })
        const signedIn = await post(server, '/api/login', { username, password: 'clutch-demo' })
        expect(signedIn).toMatchObject({ status: 200, body: { username, isAdmin: true } })
        const videos = await (await fetch(`${server.origin}/api/videos`)).json()
        expect(videos).toHaveLength(48)
        for (const { videoUrl, ...others } of videos.slice(0, 3)) {
          const bytes = await fetch(server.origin + videoUrl, { headers: { range: 'bytes=0-99' } })
          expect([bytes.status, (await bytes.arrayBuffer()).byteLength]).toEqual([206, 100])
          for (const url of [others.thumbnailUrl, others.hlsUrl, others.storyboardUrl]) {
            expect((await fetch(server.origin + url)).status).toBe(200)
          }
          const playlist = await (await fetch(server.origin + others.hlsUrl)).text()
          const rendition = /^[^#\s].*$/m.exec(playlist)?.[0] ?? ''
          const step = new URL(rendition, server.origin + others.hlsUrl)
          expect((await fetch(step)).status).toBe(200)
        }
        const comments = await fetch(`${server.origin}/api/videos/${videos[5].id}/comments`)
        expect(comments.status).toBe(200)
      } finally {
        await server.stop()
      }
      expect(await runCommand('doctor', { dataFolder })).toMatchObject({ code: 0, err: '' })
    },
  )

  longTest('adds to what a site has, without another admin', async () => {
    const dataFolder = join(base, 'twice')
    await runCommand('seed', { dataFolder, args: SIZE })
    const second = await runCommand('seed', { dataFolder, args: SIZE })
    expect(second).toMatchObject({ code: 0, err: '', out: expect.not.stringContaining('admin') })
    expect(await readRows(dataFolder, 'videos')).toHaveLength(240)
    const admins = (await readRows(dataFolder, 'users')).filter(
      (row) => 'isAdmin' in row && row.isAdmin,
    )
    expect(admins).toHaveLength(1)
    expect(await runCommand('doctor', { dataFolder })).toMatchObject({ code: 0 })
  })

  test('refuses wrong arguments with a sentence, and makes nothing', async () => {
    const dataFolder = join(base, 'refused')
    const cases: [string[], string][] = [
      [['--users', 'many'], "--users must be a whole number from 0 to 100000, but is 'many'."],
      [['--users', '0'], 'Videos need at least one user: set --users.'],
      [['--until', 'today'], "--until must be a day like 2026-11-30, but is 'today'."],
      [['--until', '2026-02-30'], "--until must be a day like 2026-11-30, but is '2026-02-30'."],
      [['--until', '2999-01-01'], "--until must not lie in the future, but is '2999-01-01'."],
      [['--vidoes', '5'], "Unknown option '--vidoes'."],
    ]
    const refuse = async ([args, sentence]: [string[], string]) => {
      const refused = await runCommand('seed', { dataFolder, args })
      expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) })
    }
    await Promise.all(cases.slice(isLongForm ? 0 : -2).map(refuse))
    expect(await readdir(base)).not.toContain('refused')
  })

  test('says so where no folder can be made', async () => {
    const refused = await runCommand('seed', { dataFolder: '/proc/data/clutch', args: [] })
    expect(refused).toMatchObject({
      code: 1,
      err: "DATA_DIR is '/proc/data', where no folder can be made.\n",
    })
  })
})
