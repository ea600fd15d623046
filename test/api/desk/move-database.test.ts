import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { indexIsWhole } from '#server/discovery/search/index-health.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { lockFile } from '#server/platform/db/file-lock.ts'
import { lockDataFolder } from '#server/platform/db/maintain.ts'
import { isCopied, MOVE_LOCK_FILE } from '#server/platform/db/move/move-ends.ts'
import { openMoveSource } from '#server/platform/db/move/move-place.ts'
import { listTableNames } from '#server/platform/db/move/moved-site.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { describePostgres, describeSqlite } from '#test/support/described-schema.ts'
import { quickCases } from '#test/support/long-form.ts'
import {
  ask,
  createEmptyDatabase,
  createMigratedDatabase,
  dropDatabase,
} from '#test/support/postgres-databases.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const NOW = '2026-01-02T03:04:05.000Z'
/** Letters of several planes, marks that combine, quotes, and the first and last characters that both store. */
const ODD_TEXT = `\u0001 'Ünder' "ｔｈｅ" \\clock\\ 🕹️ e\u0301 \u{10ffff} \uffff \\u0000 $$ \r\n\t`
/** Looks whether a lock is held, as a site does that is slow at it. */
const SLOW_LOOK = `
  const { parentPort, workerData } = require('node:worker_threads')
  const sqlite = new (require('better-sqlite3'))(workerData)
  sqlite.exec('BEGIN')
  sqlite.prepare('SELECT count(*) FROM "sqlite_schema"').get()
  parentPort.postMessage('looking')
  setTimeout(() => sqlite.close(), 200)`
const ROWS = [
  'announcedActs',
  'apiTokens',
  'auditLog',
  'clips',
  'comments',
  'uploadChunks',
  'videos',
] as const

let bucket: Awaited<ReturnType<typeof startS3Server>>
const folder = setUpFolder('move')
let site: string
let back: string
let url: string

beforeAll(async () => {
  bucket = await startS3Server()
  const args = '--users 20 --videos 60 --comments 2500 --seed 7 --until 2026-01-01'.split(' ')
  const dataFolder = join(folder, 'filled')
  expect(await runCommand('seed', { dataFolder, args })).toMatchObject({ code: 0 })
  await inFolder(dataFolder, addOddRows)
})
afterAll(() => bucket.stop())
beforeEach(async () => {
  const place = await mkdtemp(join(folder, 'case-'))
  site = join(place, 'site')
  back = join(place, 'back')
  await cp(join(folder, 'filled'), site, { recursive: true })
  url = await createEmptyDatabase()
})
afterEach(() => dropDatabase(url))

const move = (args: string[], env: Record<string, string> = {}) =>
  runCommand('move-database', { dataFolder: folder, args, env })
const withDatabase = <Answer>(db: Database, work: (db: Database) => Promise<Answer>) =>
  work(db).finally(() => db.destroy())
const inFolder = <Answer>(path: string, work: (db: Database) => Promise<Answer>) =>
  withDatabase(openDatabase(path), work)
const onServer = <Answer>(address: string, work: (db: Database) => Promise<Answer>) =>
  withDatabase(openPostgresDatabase(address), work)
const addressOf = (address: string) => address.replace(/\/\/[^@]*@/, '//')

/** Values at the ends of what columns take. */
async function addOddRows(db: Database): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db)
  await run(sql`UPDATE videos SET title = ${ODD_TEXT}, description = ${'\u{1f3ae}'.repeat(2500)},
    viewCount = ${Number.MAX_SAFE_INTEGER}, loudnessLufs = -9e999 WHERE id = 1`)
  await run(sql`UPDATE videos SET loudnessLufs = 0.1 + 0.2, duration = 4294967296 WHERE id = 2`)
  await run(sql`UPDATE users SET bio = ${ODD_TEXT}, quotaBytes = -1 WHERE id = 3`)
  await run(sql`INSERT INTO announcedActs VALUES ('like', 1, 2), ('upload', 1, 1)`)
  await run(sql`INSERT INTO auditLog (createdAt, actorName, action, targetKind, targetName)
    VALUES (${NOW}, 'ann', 'video.delete', 'video', ${ODD_TEXT})`)
  await run(sql`INSERT INTO apiTokens (userId, name, scope, tokenHash, createdAt)
    VALUES (1, 'script', 'read', 'x', ${NOW})`)
  await run(sql`INSERT INTO clips (id, videoId, userId, title, foldedTitle, startSeconds, endSeconds, createdAt)
    VALUES (1, 1, 1, 'clip', 'clip', 0.1, 1e300, ${NOW}), (4711, 1, 1, 'gone', 'gone', 0, 1, ${NOW})`)
  await run(sql`DELETE FROM clips WHERE id = 4711`)
  await run(sql`INSERT INTO uploads (id, userId, state, fileName, fileSize, chunkCount, mediaKey, title, description,
      category, tags, isAnonymous, createdAt, touchedAt)
    VALUES ('u', 1, 'receiving', 'a.mp4', 9007199254740991, 2, 'k', 't', '', 'Other', '[]', 0, ${NOW}, ${NOW})`)
  const bytes = Buffer.from([0, 1, 92, 120, 127, 128, 255])
  await run(sql`INSERT INTO uploadChunks VALUES ('u', 0, ${bytes}), ('u', 1, ${Buffer.alloc(0)})`)
}

/** All rows of all tables that travel, and the highest ids that were given. */
async function readAll(db: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  const isOfSearch = (name: string) => /^(video|channel)Search/.test(name)
  for (const name of (await listTableNames(db)).filter(isCopied)) {
    if (isOfSearch(name)) continue
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(db)
    all[name] = rows.map((row) => inspect(row, { sorted: true, maxStringLength: null })).sort()
  }
  // SQLite notes 0 for a table into which a trigger could have inserted a row.
  const { rows } = await sql<{ name: string; seq: number }>`
    SELECT * FROM sqlite_sequence WHERE seq > 0 ORDER BY name`.execute(db)
  return { ...all, lastIds: rows.map(({ name, seq }) => `${name} ${seq}`) }
}

const addClip = sql<{ id: number }>`
  INSERT INTO clips ("videoId", "userId", "title", "foldedTitle", "startSeconds", "endSeconds", "createdAt")
  VALUES (1, 1, 'new', 'new', 0, 1, ${NOW}) RETURNING "id"`

test('a move begins while the site looks whether there is one', async () => {
  const lock = join(site, MOVE_LOCK_FILE)
  lockFile(lock)?.()
  const look = new Worker(SLOW_LOOK, { eval: true, workerData: lock })
  await once(look, 'message')
  const source = await openMoveSource({ folder: site })
  await source.close()
})

test('a site moves to PostgreSQL and back, and every row, id and index is as it was', async () => {
  const [before, schema] = await inFolder(site, async (db) => [
    await readAll(db),
    await describeSqlite(db),
  ])
  for (const name of ROWS) expect(before[name], name).not.toEqual([])
  const there = await move([site, url])
  expect(there).toMatchObject({ code: 0, err: '' })
  expect(there.out).toMatch(/\ncomments +2500 rows {2}[\da-f]{16}\n/)
  expect(there.out).toContain(
    `rows in ${/in (\d+ seconds?)/.exec(there.out)?.[1]}; all are the same in both.\n` +
      `${site} takes no changes any more. Set DATABASE_URL to the new one, and restart the site.\n`,
  )
  await onServer(url, async (db) => {
    expect(await indexIsWhole(db)).toBe(true)
    expect(await describePostgres(db)).toEqual(schema)
    expect((await listTableNames(db)).filter((name) => /move/i.test(name))).toEqual([])
  })
  const returned = await move([url, back])
  expect(returned).toMatchObject({ code: 0, err: '' })
  const hashes = (out: string) => out.match(/^\w+ +\d+ rows {2}[\da-f]+$/gm)
  expect(hashes(returned.out)).toEqual(hashes(there.out))
  expect(hashes(there.out)?.length).toBeGreaterThan(15)
  await inFolder(back, async (db) => {
    expect(await readAll(db)).toEqual(before)
    expect(await describeSqlite(db)).toEqual(schema)
    expect((await addClip.execute(db)).rows).toEqual([{ id: 4712 }])
  })
  expect(await inFolder(back, indexIsWhole)).toBe(true)
})

test('on PostgreSQL new rows get ids that no row ever had, triggers count them, and what was of the old database is not there', async () => {
  const ofDatabase = { neededMigration: 'of SQLite', storeRecords: '{"s3://old":{"turns":[]}}' }
  await inFolder(site, (db) => db.updateTable('siteSettings').set(ofDatabase).execute())
  expect(await move([site, url])).toMatchObject({ code: 0 })
  const counts = sql`SELECT "publicVideos" FROM "categoryTotals" ORDER BY "category"`
  const before = await inFolder(site, (db) => counts.execute(db))
  await onServer(url, async (db) => {
    expect((await counts.execute(db)).rows).toEqual(before.rows)
    const settings = db.selectFrom('siteSettings').select(['neededMigration', 'storeRecords'])
    expect(await settings.execute()).toEqual([
      { neededMigration: '030-conversations', storeRecords: null },
    ])
    expect((await addClip.execute(db)).rows).toEqual([{ id: 4712 }])
    await sql`UPDATE "videos" SET "category" = 'Anew' WHERE "id" = 5`.execute(db)
    const total = sql`SELECT "publicVideos" FROM "categoryTotals" WHERE "category" = 'Anew'`
    expect((await total.execute(db)).rows).toEqual([{ publicVideos: 1 }])
    await expect(sql`DELETE FROM "auditLog"`.execute(db)).rejects.toThrow('only grows')
  })
})

const steps = [
  ['move-database.copied:12'],
  ['move-database.compared'],
  ['move-database.left'],
] as const

test.each(quickCases(steps, []))(
  'a move that was killed at %s goes on, with what was written since, and ends right',
  async (step) => {
    const killed = await move([site, url], { CLUTCH_STOP_AT: step })
    expect(killed.out).not.toContain('Moved')
    const refused = await runCommand('grant-admin', {
      dataFolder: folder,
      args: ['ann'],
      env: { ...bucket.mediaVariables('move'), DATABASE_URL: url },
    })
    expect(refused.err).toBe(
      'A move to this database has not ended. Run npm run move-database again.\n',
    )
    if (step !== 'move-database.left') {
      await inFolder(site, async (db) => {
        await sql`UPDATE "comments" SET "content" = 'edited' WHERE "id" = 7`.execute(db)
        await sql`DELETE FROM "users" WHERE "id" = 20`.execute(db)
      })
    }
    const before = await inFolder(site, readAll)
    expect(await move([site, url])).toMatchObject({ code: 0, err: '' })
    expect(await move([site, url])).toMatchObject({
      code: 0,
      out: `The site is at ${addressOf(url)} now.\n`,
    })
    expect(await move([url, back], { CLUTCH_STOP_AT: step })).not.toMatchObject({ code: 0 })
    expect(await move([url, back])).toMatchObject({ code: 0, err: '' })
    expect(await inFolder(back, readAll)).toEqual(before)
  },
)

test('what cannot be moved is said in a sentence, and nothing is changed', async () => {
  const usage = /^Say where the database is and where it goes: npm run move-database -- FROM TO/
  for (const words of [[], [site], [site, url, back], [site, site], ['--undo']]) {
    expect(await move(words)).toMatchObject({ code: 2, err: expect.stringMatching(usage) })
  }
  const refuse = async (words: string[], err: string) =>
    expect(await move(words)).toMatchObject({ code: 1, err: `${err}\n` })
  await refuse([back, url], `There is no Clutch database in ${back}.`)
  const media = join(site, 'media')
  const { mediaKey } = await inFolder(site, (db) =>
    db.selectFrom('videos').select('mediaKey').executeTakeFirstOrThrow(),
  )
  for (const name of ['of-nobody', mediaKey]) {
    await mkdir(join(media, name), { recursive: true })
    await writeFile(join(media, name, 'video.mp4'), 'a video')
  }
  await refuse(
    [site, url],
    `There are videos of this site in ${media}, and the nodes of a site on PostgreSQL share no folder. ` +
      'Move them first: npm run move-media -- folder s3://bucket/prefix.',
  )
  await rm(join(media, mediaKey), { recursive: true })
  const full = await createMigratedDatabase()
  await refuse(
    [site, full],
    `${addressOf(full)} is not empty. A database is moved to an empty one only.`,
  )
  await refuse([full, site], `${site} is not empty. A database is moved to an empty one only.`)
  const unlock = lockDataFolder(site)
  await refuse([full, site], `A Clutch server uses ${site}. Stop it first.`)
  unlock?.()
  await ask(`DELETE FROM kysely_migration WHERE name > '017-workers'`, full)
  await ask(`INSERT INTO kysely_migration VALUES ('999-future', '2030')`, full)
  await refuse(
    [full, back],
    'The database was written by a newer version of Clutch. Update Clutch first.',
  )
  await dropDatabase(full)
  await refuse(
    [site, full],
    `The PostgreSQL server of ${addressOf(full)} has no database of that name.`,
  )
  expect(await onServer(url, listTableNames)).toEqual([])
})

test('a text with the character 0 is named before anything is moved', async () => {
  await inFolder(site, (db) =>
    sql`UPDATE comments SET content = ${'a\0b'} WHERE id = 9`.execute(db),
  )
  expect(await move([site, url])).toMatchObject({
    code: 1,
    err:
      'The row of comments with id 9 has a text with the character 0, which PostgreSQL does not store. ' +
      'Nothing was moved: take it out there first.\n',
  })
  await inFolder(site, (db) => sql`UPDATE comments SET content = 'ab' WHERE id = 9`.execute(db))
  expect(await move([site, url])).toMatchObject({ code: 0 })
})
