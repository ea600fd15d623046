import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashApiToken } from '#server/account/api-token/request-token.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openMoveSource } from '#server/platform/db/move/move-place.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { isLongForm, quickCases } from '#test/support/long-form.ts'
import {
  createEmptyDatabase,
  createMigratedDatabase,
  dropDatabase,
} from '#test/support/postgres-databases.ts'
import { addRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { multipart } from '#test/support/upload-client.ts'

const MOVING =
  'The site is moving to another database. Everything can be watched and read, and changed again in some minutes.'
const MOVED =
  'The site has moved to another database and is about to start from there. Until then it can only be watched and read.'
const API_TOKEN = 'a'.repeat(40)
const DAY_S = 86_400

const folder = setUpFolder('moving')
let media: Record<string, string>
const urls: string[] = []
beforeAll(async () => {
  media = (await startS3Server()).mediaVariables('moving')
})
afterAll(async () => {
  for (const url of urls) await dropDatabase(url)
})

async function createDatabase(): Promise<string> {
  const url = await createEmptyDatabase()
  urls.push(url)
  return url
}

/** A site on one engine, with where it moves to and how rows of both are read. */
const engines = {
  async SQLite() {
    const [dataFolder, url] = [join(folder, 'site'), await createDatabase()]
    return {
      ...{ dataFolder, env: {}, place: { folder: dataFolder }, words: [dataFolder, url] },
      open: () => openDatabase(dataFolder),
      openTarget: () => openPostgresDatabase(url),
    }
  },
  async PostgreSQL() {
    const [dataFolder, back, url] = [
      join(folder, 'node'),
      join(folder, 'back'),
      await createDatabase(),
    ]
    return {
      ...{ dataFolder, env: { ...media, DATABASE_URL: url }, place: { url }, words: [url, back] },
      open: () => openPostgresDatabase(url),
      openTarget: () => openDatabase(back),
    }
  },
}

const register = (server: ServerProcess, name: string) =>
  post(server, '/api/register', {
    ...{ username: name, displayName: name, email: `${name}@example.org` },
    password: 'correct horse',
  })

function post(server: ServerProcess, path: string, body: object, headers = {}): Promise<Response> {
  return fetch(server.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, ...headers },
    body: JSON.stringify(body),
  })
}

async function withRows<Answer>(open: () => Database, work: (db: Database) => Promise<Answer>) {
  const db = open()
  return work(db).finally(() => db.destroy())
}

const listMembers = (db: Database) => db.selectFrom('users').select('username').execute()

/** Gives ann a token that was never used, and a session that a read would renew. */
async function ageSession(db: Database): Promise<void> {
  const expiresAt = Math.floor(Date.now() / 1000) + DAY_S
  await db.updateTable('sessions').set({ expiresAt }).execute()
  const token = { name: 'script', scope: 'read' as const, tokenHash: hashApiToken(API_TOKEN) }
  await addRows(db, 'apiTokens', { userId: 1, ...token, createdAt: '2026-01-01T00:00:00.000Z' })
}

test.each(quickCases(Object.entries(engines), ['SQLite']))(
  'a site on %s answers reads and refuses writes while it moves, loses nothing, and stays as it was left',
  async (_, makeSite) => {
    const { dataFolder, env, place, words, open, openTarget } = await makeSite()
    const server = await startServer({ dataFolder, env })
    const registered = await register(server, 'ann')
    expect(registered.status).toBe(201)
    const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await withRows(open, ageSession)
    const refusals = async () => {
      const chunk = multipart({ uploadId: 'x', chunkIndex: 0, file: Buffer.alloc(100) })
      const answers = [
        await register(server, 'late'),
        await post(server, '/trpc/auth.logout', {}, { cookie }),
        await fetch(`${server.origin}/api/uploads/chunk`, {
          ...{ method: 'POST', body: chunk.payload },
          headers: { ...chunk.headers, cookie, origin: server.origin },
        }),
      ]
      const texts = await Promise.all(answers.map((answer) => answer.text()))
      return answers.map(({ status, headers }, at) => ({
        ...{ status, retryAfter: Number(headers.get('retry-after')) > 0 },
        text: texts[at]?.startsWith('{') ? JSON.parse(texts[at] ?? '').error.message : texts[at],
      }))
    }
    const refused = (text: string) =>
      Array.from({ length: 3 }, () => ({ status: 503, retryAfter: true, text }))
    const expectReads = async () => {
      const token = { authorization: `Bearer ${API_TOKEN}` }
      for (const headers of [{ cookie }, token]) {
        const answer = await fetch(`${server.origin}/api/user`, { headers })
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('ann')])
      }
      expect((await fetch(`${server.origin}/api/videos`)).status).toBe(200)
    }

    const source = await openMoveSource(place)
    expect(await refusals()).toEqual(refused(MOVING))
    await expectReads()
    await source.close()
    await expect.poll(async () => (await register(server, 'bob')).status).toBe(201)

    const acknowledged: string[] = ['ann', 'bob']
    let isOver = false
    const writing = (async () => {
      for (let number = 0; !isOver; number++) {
        const { status } = await register(server, `member-${number}`)
        if (status === 201) acknowledged.push(`member-${number}`)
        else expect(status).toBe(503)
      }
    })()
    const moved = await runCommand('move-database', { dataFolder, args: words })
    isOver = true
    await writing
    expect(moved).toMatchObject({ code: 0, err: '' })
    expect(acknowledged.length).toBeGreaterThan(3)
    const names = async (from: () => Database) =>
      (await withRows(from, listMembers)).map(({ username }) => username).sort()
    // One more may have been refused after its first half, as when a server stops.
    const members = await names(openTarget)
    expect(members).toEqual(expect.arrayContaining(acknowledged))
    expect(members.length).toBeLessThanOrEqual(acknowledged.length + 1)
    await expect.poll(refusals).toEqual(refused(MOVED))
    await expectReads()
    expect(await names(open)).toEqual(members)
    expect(await server.stop()).toBe(0)

    const address = words[1]?.replace(/\/\/[^@]*@/, '//')
    const sentence =
      `The database of this site has moved to ${address}. ` +
      'npm run move-database -- --undo lets this database take changes again.\n'
    await expect(startServer({ dataFolder, env })).rejects.toThrow(
      new Error(`The server did not start:\n${sentence}`),
    )
    expect(await runCommand('grant-admin', { dataFolder, env, args: ['ann'] })).toMatchObject({
      ...{ code: 1, err: sentence },
    })
    const undo = ['--undo', words[0] ?? '']
    expect(await runCommand('move-database', { dataFolder, args: undo })).toMatchObject({
      code: 0,
      out: expect.stringContaining('takes changes again.\n'),
    })
    const again = await startServer({ dataFolder, env })
    expect((await register(again, 'carl')).status).toBe(201)
    await again.stop()
  },
)

test.runIf(isLongForm && process.platform === 'linux' && !process.env.TEST_DATABASE_URL)(
  'a server is soon to notice when the machine that moves its database is gone without a word',
  async () => {
    const url = await createMigratedDatabase()
    urls.push(url)
    const source = await openMoveSource({ url })
    const db = openPostgresDatabase(url)
    const { rows } = await sql<{ port: number }>`
      SELECT "client_port" AS "port" FROM "pg_stat_activity"
      WHERE "application_name" = 'clutch move-database' AND "datname" = current_database()`.execute(
      db,
    )
    await db.destroy()
    const ports = { server: Number(new URL(url).port), client: rows[0]?.port ?? 0 }
    await expect.poll(() => readKeepalive(ports)).toBeLessThan(10)
    await source.close()
  },
)

/**
 * In how many seconds the system asks whether the other end of a server's connection is there, if it is silent; for ever
 * while something is on its way there.
 */
async function readKeepalive(ports: { server: number; client: number }): Promise<number> {
  const [server, client] = [ports.server, ports.client].map((port) =>
    port.toString(16).toUpperCase().padStart(4, '0'),
  )
  const lines = (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const found = lines.find(
    ([, own, other]) => own?.endsWith(`:${server}`) && other?.endsWith(`:${client}`),
  )
  const [, hundredths] = /^02:([\dA-F]+)$/.exec(found?.[5] ?? '') ?? []
  return hundredths ? Number.parseInt(hundredths, 16) / 100 : Number.POSITIVE_INFINITY
}
