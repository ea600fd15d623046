import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { busOf } from '#server/platform/cluster/cluster.ts'
import { readConfig } from '#server/platform/config.ts'
import { openPlaceDatabase } from '#server/platform/db/move/move-place.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { openSiteDatabase, openSiteDatabaseToRead } from '#server/platform/db/site-database.ts'
import { upgradeDatabase } from '#server/platform/db/upgrade.ts'
import { ConfigError } from '#server/platform/errors.ts'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { hasPgbouncer, startPgbouncer } from '#test/support/pgbouncer.ts'
import {
  ask,
  createEmptyDatabase,
  createMigratedDatabase,
  dropDatabase,
  undoNewest,
} from '#test/support/postgres-databases.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('start')
let media: Record<string, string>
const made: string[] = []
const role = `clutch_test_${randomBytes(4).toString('hex')}`
beforeAll(async () => {
  media = (await startS3Server()).mediaVariables('start')
  await ask(`CREATE ROLE "${role}" LOGIN`)
})
afterAll(async () => {
  for (const url of made) await dropDatabase(url)
  await ask(`DROP ROLE "${role}"`)
})

async function make(create: Promise<string>): Promise<string> {
  const url = await create
  made.push(url)
  return url
}

const change = (url: string, parts: Partial<Pick<URL, 'username' | 'pathname' | 'port'>>) =>
  Object.assign(new URL(url), parts).href

/** What ends a start, without the program that starts. */
async function expectRefused(env: Record<string, string>, sentence: string): Promise<void> {
  const open = async () => openSiteDatabase(readConfig({ DATA_DIR: folder, ...env }))
  await expect(open()).rejects.toThrow(new ConfigError(sentence))
}

async function expectStopped(env: Record<string, string>, sentence: string): Promise<void> {
  await expect(startServer({ dataFolder: folder, env })).rejects.toThrow(
    new Error(`The server did not start:\n${sentence}\n`),
  )
}

async function listTables(url: string): Promise<string[]> {
  const db = openPostgresDatabase(url)
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`.execute(db)
  await db.destroy()
  return rows.map(({ name }) => name)
}

test('DATABASE_URL that is no address, or with media in a folder, stops the start with a sentence', async () => {
  const url = await make(createEmptyDatabase())
  const refused = 'DATABASE_URL must be postgres://user:password@host/database.'
  await expectStopped({ ...media, DATABASE_URL: 'mysql://host/clutch' }, refused)
  for (const wrong of ['postgres://host', 'postgres:///clutch']) {
    await expectRefused({ ...media, DATABASE_URL: wrong }, refused)
  }
  await expectRefused(
    { DATABASE_URL: url, MEDIA_STORE: '' },
    'MEDIA_STORE must name object storage, since DATABASE_URL is set: the nodes of a site share no folder.',
  )
  expect(await listTables(url)).toEqual([])
})

test('a server that is not there, or refuses, stops the start with a sentence', async () => {
  const url = await make(createEmptyDatabase())
  const port = String(await findFreePort())
  await expectStopped(
    { ...media, DATABASE_URL: change(url, { port }) },
    'The PostgreSQL server that DATABASE_URL names does not answer.',
  )
  for (const [wrong, sentence] of [
    [
      change(url, { username: 'nobody-at-all' }),
      'The PostgreSQL server that DATABASE_URL names refuses the user or the password.',
    ],
    [
      change(url, { pathname: '/nothing_there' }),
      'The PostgreSQL server that DATABASE_URL names has no database of that name.',
    ],
  ] as const) {
    await expectRefused({ ...media, DATABASE_URL: wrong }, sentence)
  }
})

test('the address of the server itself, beside that of a pooler, is refused by its own name', async () => {
  const url = await make(createMigratedDatabase())
  const port = String(await findFreePort())
  const wrongPort = url.replace(/:\d+\//, ':99999/')
  const noFile = `${url}?sslmode=verify-full&sslrootcert=/nonexistent`
  const noAddress = 'must be postgres://user:password@host/database.'
  const answer = 'does not answer.'
  for (const [wrong, sentence] of [
    [wrongPort, `DATABASE_DIRECT_URL ${noAddress}`],
    [noFile, 'A file of certificates that DATABASE_DIRECT_URL names cannot be read.'],
    [change(url, { port }), `The PostgreSQL server that DATABASE_DIRECT_URL names ${answer}`],
  ] as const) {
    await expectRefused({ ...media, DATABASE_URL: url, DATABASE_DIRECT_URL: wrong }, sentence)
  }
  for (const [wrong, sentence] of [
    [wrongPort, `DATABASE_URL ${noAddress}`],
    [noFile, 'A file of certificates that DATABASE_URL names cannot be read.'],
  ] as const) {
    await expectRefused({ ...media, DATABASE_URL: wrong }, sentence)
  }
  await expect(openPlaceDatabase({ url: wrongPort })).rejects.toThrow(
    new ConfigError(`postgres://… ${noAddress}`),
  )
  await expectStopped(
    { ...media, DATABASE_URL: url, DATABASE_DIRECT_URL: wrongPort },
    `DATABASE_DIRECT_URL ${noAddress}`,
  )
  await expectRefused(
    { ...media, DATABASE_DIRECT_URL: url },
    'DATABASE_DIRECT_URL needs DATABASE_URL beside it: the same database, behind a pooler.',
  )
})

test('a message bus whose certificates cannot be read any more is down, and ends nothing', async () => {
  const db = openPostgresDatabase('postgres://host/clutch', {
    directUrl: 'postgres://host/clutch?sslrootcert=/nonexistent',
  })
  busOf(db).onMessage(() => {})
  expect(busOf(db).isUp()).toBe(false)
  await db.destroy()
})

test('a server that goes away in the middle of a start ends it with a sentence', async () => {
  const url = await make(createMigratedDatabase())
  const line = await openBreakableLine(Number(new URL(url).port))
  // Within the list of tables, when all is checked.
  line.breakAfter(10_000)
  await expectStopped(
    { ...media, DATABASE_URL: change(url, { port: new URL(line.origin).port }) },
    'The database does not answer any more. Please try again in a moment.',
  )
  await line.stop()
})

test('a database in which the site cannot be stops the start with a sentence, and stays as it is', async () => {
  const ascii = await make(createEmptyDatabase(`ENCODING 'SQL_ASCII'`))
  await expectRefused(
    { ...media, DATABASE_URL: ascii },
    'The database that DATABASE_URL names has the encoding SQL_ASCII; UTF8 is needed.',
  )
  const url = await make(createEmptyDatabase())
  const restricted = change(url, { username: role })
  await expectRefused(
    { ...media, DATABASE_URL: restricted },
    'The user that DATABASE_URL names may not create tables in the database.',
  )
  await ask(`GRANT CREATE ON SCHEMA public TO "${role}"`, url)
  await expectRefused(
    { ...media, DATABASE_URL: restricted },
    'The database that DATABASE_URL names lacks the extension citext, which this user may not add.',
  )
  expect([await listTables(ascii), await listTables(url)]).toEqual([[], []])
})

test('a user without rights on the tables stops the start, and commands, with a sentence', async () => {
  const url = await make(createMigratedDatabase())
  const restricted = { ...media, DATABASE_URL: change(url, { username: role }) }
  const sentence =
    'The user of the database on PostgreSQL lacks rights on its tables. Make that user their owner.'
  await ask(`GRANT CREATE ON SCHEMA "public" TO "${role}"`, url)
  await expectStopped(restricted, sentence)
  expect(
    await runCommand('grant-admin', { dataFolder: folder, args: ['ann'], env: restricted }),
  ).toMatchObject({ code: 1, err: `${sentence}\n` })
  // A release that changes a table, which only its owner may.
  await undoNewest(url)
  await ask(
    `GRANT ALL ON SCHEMA "public" TO "${role}"; GRANT ALL ON ALL TABLES IN SCHEMA "public" TO "${role}"`,
    url,
  )
  const before = await listTables(url)
  await expectStopped(restricted, sentence)
  expect(await listTables(url)).toEqual(before)
})

test('a database of a newer version that leaves no room is refused and stays as it is', async () => {
  const url = await make(createMigratedDatabase())
  await ask(`INSERT INTO kysely_migration VALUES ('999-future', '2030')`, url)
  await ask(`UPDATE "siteSettings" SET "neededMigration" = '999-future'`, url)
  const before = await listTables(url)
  await expectStopped(
    { ...media, DATABASE_URL: url },
    'The database was written by a newer version of Clutch. Update Clutch first.',
  )
  expect(await listTables(url)).toEqual(before)
})

test('a database of another program is refused and stays as it is', async () => {
  const url = await make(createEmptyDatabase())
  for (const name of ['orders', 'users']) {
    await ask(`CREATE TABLE "${name}" ("id" bigint)`, url)
    const before = await listTables(url)
    await expectStopped(
      { ...media, DATABASE_URL: url },
      'The database that DATABASE_URL names holds tables of another program. Name an empty one.',
    )
    expect(await listTables(url)).toEqual(before)
    await ask(`DROP TABLE "${name}"`, url)
  }
})

test('tables of an extension, of another schema, or of a start that broke off are no other program', async () => {
  const url = await make(createEmptyDatabase())
  // What belongs to an extension, as the tables of PostGIS do.
  await ask(
    `CREATE EXTENSION "citext"; CREATE TABLE "ofExtension" ("id" bigint);
    ALTER EXTENSION "citext" ADD TABLE "ofExtension"; CREATE TABLE "kysely_migration" ("name" text, "timestamp" text);
    CREATE SCHEMA "other"; CREATE TABLE "other"."orders" ("id" bigint)`,
    url,
  )
  const db = openPostgresDatabase(url)
  await upgradeDatabase(db, folder)
  await db.destroy()
  expect(await listTables(url)).toContain('siteSettings')
})

test('a site starts on an empty database, which commands find too, and writes no file for it', async () => {
  const url = await make(createEmptyDatabase())
  const secret = join(folder, 'database-url')
  await writeFile(secret, `${url}\n`)
  const server = await startServer({
    dataFolder: folder,
    env: { ...media, DATABASE_URL_FILE: secret },
  })
  const member = { username: 'ann', email: 'ann@example.org', password: 'correct horse' }
  const answer = await fetch(`${server.origin}/trpc/auth.register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin },
    body: JSON.stringify({ ...member, displayName: 'Ann' }),
  })
  expect(answer.status).toBe(200)
  const run = (name: string, ...args: string[]) =>
    runCommand(name, { dataFolder: folder, args, env: { ...media, DATABASE_URL: url } })
  expect(await run('grant-admin', 'ann')).toMatchObject({ code: 0, out: 'ann is an admin now.\n' })
  expect(await run('doctor')).toMatchObject({
    code: 0,
    out: 'All is well: the rows of 0 videos and 0 files agree.\n',
  })
  expect(await run('backup', join(folder, 'backup'))).toMatchObject({
    code: 1,
    err: 'The database of this site is on PostgreSQL: back it up with pg_dump, or with the snapshots of whoever runs it.\n',
  })
  expect(await server.stop()).toBe(0)
  expect((await readdir(folder)).filter((name) => name.startsWith('clutch.db'))).toEqual([])
})

test('commands that only read have their locks past a pooler, too', async () => {
  const url = await make(createMigratedDatabase())
  const line = await openBreakableLine(Number(new URL(url).port))
  const direct = change(url, { port: new URL(line.origin).port })
  const env = { ...media, DATA_DIR: folder, DATABASE_URL: url, DATABASE_DIRECT_URL: direct }
  const db = await openSiteDatabaseToRead(readConfig(env))
  expect(line.countOpen()).toBe(1)
  await db.destroy()
  await line.stop()
})

test.skipIf(!hasPgbouncer)(
  'a pooler that keeps no sessions needs the address of the server itself beside it',
  async () => {
    const direct = await make(createMigratedDatabase())
    const pooler = await startPgbouncer(direct)
    const own = (await startS3Server()).mediaVariables('pooled')
    const env = { ...own, DATABASE_URL: pooler.url }
    await expectRefused(
      env,
      'The pooler that DATABASE_URL names keeps no sessions. Name the server itself in DATABASE_DIRECT_URL, too.',
    )
    const site = await startServer({
      dataFolder: join(folder, 'pooled'),
      env: { ...env, DATABASE_DIRECT_URL: direct },
    })
    try {
      const account = { username: 'ann', email: 'ann@example.org', displayName: 'Ann' }
      const made = await Promise.all(
        ['ann', 'bob', 'cat', 'dan', 'eve'].map((username) =>
          fetch(`${site.origin}/api/register`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              ...{ ...account, username, email: `${username}@example.org` },
              password: 'correct horse',
            }),
          }),
        ),
      )
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
      const reads = await Promise.all(
        Array.from({ length: 40 }, (_, turn) => fetch(`${site.origin}/api/videos?n=${turn}`)),
      )
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
    } finally {
      await site.stop()
      await pooler.stop()
    }
  },
)
