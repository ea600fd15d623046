import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertInBulk } from '#server/platform/db/bulk-insert.ts'
import type { Database } from '#server/platform/db/database.ts'
import { listMigrations, migrateToLatest } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { tidyUpgradeCopies, upgradeDatabase } from '#server/platform/db/upgrade.ts'
import { VERSIONS, writeLaterVersion } from '#test/support/later-version.ts'
import { longTest } from '#test/support/long-form.ts'
import { listReplaced, listUnquoted } from '#test/support/raw-sql.ts'
import { addRows } from '#test/support/rows.ts'
import { startServer } from '#test/support/server-process.ts'
import { writeSmallSite } from '#test/support/small-site.ts'

const MIGRATIONS = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'src',
  'server',
  'platform',
  'db',
  'sqlite',
  'migrations',
)
const MEMBER_COLUMNS = ['id', 'username', 'password', 'email', 'displayName', 'createdAt'] as const
const LIST_COLUMNS = ['userId', 'kind', 'title', 'createdAt', 'updatedAt'] as const
const NEWER = 'The database was written by a newer version of Clutch. Update Clutch first.'
const UNRELEASED =
  'The database was written by a Clutch from before its first release, which this one cannot read. Start with an empty data folder.'

let folder: string
let db: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-schema-'))
  db = openDatabase(folder)
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

/** What the database says of its tables, indexes and triggers, apart from the migrator's own. */
async function readSchema(): Promise<string> {
  const { rows } = await sql<{ sql: string }>`
    SELECT sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite_%' AND tbl_name NOT LIKE 'kysely_%'
    ORDER BY tbl_name, type = 'table' DESC, type, name`.execute(db)
  return `${rows.map((row) => `${row.sql};`).join('\n\n')}\n`
}

test('the migrations make the schema that is written down', async () => {
  await migrateToLatest(db)
  await expect(await readSchema()).toMatchFileSnapshot(join('snapshots', 'schema.sql'))
})

test('every name in it is quoted', async () => {
  const files = await readdir(MIGRATIONS)
  for (const file of files) {
    const source = await readFile(join(MIGRATIONS, file), 'utf8')
    const statements = [...source.matchAll(/`([^`]*)`/g)].map(([, text = '']) => ({ text, at: 0 }))
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.flatMap(listUnquoted)).toEqual([])
    expect(statements.flatMap(listReplaced)).toEqual([])
  }
})

test('filling a database in bulk leaves its indexes as they were, and keeps out what they refuse', async () => {
  await migrateToLatest(db)
  const before = await readSchema()
  const createdAt = '2026-11-01T00:00:00.000Z'
  const fill = (input: { id: number; lists: number }) =>
    insertInBulk(folder, (writer) => {
      const name = `member-${input.id}`
      const member = { id: input.id, username: name, displayName: name, email: name, createdAt }
      writer.prepareInsert('users', MEMBER_COLUMNS)({ ...member, password: '-' })
      const list = { userId: input.id, kind: 'watch-later', title: '', createdAt } as const
      const insertList = writer.prepareInsert('playlists', LIST_COLUMNS)
      for (let count = 0; count < input.lists; count++)
        insertList({ ...list, updatedAt: createdAt })
    })
  fill({ id: 1, lists: 1 })
  expect(() => fill({ id: 2, lists: 2 })).toThrow('UNIQUE')
  expect(await readSchema()).toBe(before)
  expect(await db.selectFrom('users').select('id').execute()).toEqual([{ id: 1 }])
})

test('migrating a migrated database changes nothing', async () => {
  await migrateToLatest(db)
  const before = await readSchema()
  await migrateToLatest(db)
  expect(await readSchema()).toBe(before)
})

longTest(
  'a database of a newer version, or of none that was released, is refused and stays as it is',
  async () => {
    await migrateToLatest(db)
    for (const [name, sentence] of [
      ['999-future', NEWER],
      ['001-initial-schema', UNRELEASED],
    ] as const) {
      const row = { name, timestamp: '2030' }
      const seen = db as unknown as Kysely<{ kysely_migration: typeof row }>
      await seen.insertInto('kysely_migration').values(row).execute()
      await db.destroy()
      const before = await readFile(join(folder, 'clutch.db'))
      db = openDatabase(folder)
      await expect(migrateToLatest(db)).rejects.toThrow(sentence)
      await expect(upgradeDatabase(db, folder)).rejects.toThrow(sentence)
      await db.destroy()
      await expect(startServer({ dataFolder: folder })).rejects.toThrow(
        new RegExp(`^The server did not start:\n${sentence.replaceAll('.', '\\.')}\n$`),
      )
      expect((await readFile(join(folder, 'clutch.db'))).equals(before)).toBe(true)
      db = openDatabase(folder)
    }
  },
)

longTest(
  'an update that breaks off leaves the database as it was, and can be made again',
  async () => {
    const dataFolder = join(folder, 'site')
    await writeSmallSite(dataFolder)
    const root = await writeLaterVersion(folder)
    const open = async <Result>(work: () => Promise<Result>) => {
      await db.destroy()
      db = openDatabase(dataFolder)
      return work()
    }
    const before = await open(async () => {
      await sql`CREATE TABLE "later" ("inTheWay" TEXT)`.execute(db)
      return readSchema()
    })
    await expect(startServer({ dataFolder, root })).rejects.toThrow(
      /table "?later"? already exists/,
    )
    await open(async () => {
      expect(await readSchema()).toBe(before)
      expect((await listMigrations(db)).pending).toEqual([])
      await sql`DROP TABLE "later"`.execute(db)
    })
    const server = await startServer({ dataFolder, root })
    expect(await server.stop()).toBe(0)
    await open(async () => expect(await readSchema()).toContain('CREATE TABLE "later"'))
  },
)

test('a database with data is copied before an update, and the last three copies are retained', async () => {
  const dataFolder = join(folder, 'site')
  const counts = await writeSmallSite(dataFolder)
  const root = await writeLaterVersion(folder)
  const copies = () => readdir(join(dataFolder, 'backups', 'before-update'))
  const update = async () => (await startServer({ dataFolder, root })).stop()
  await update()
  expect(await copies()).toEqual([`database-${VERSIONS.now}.db`])
  const copy = join(dataFolder, 'backups', 'before-update', `database-${VERSIONS.now}.db`)
  await mkdir(join(folder, 'old'))
  await copyFile(copy, join(folder, 'old', 'clutch.db'))
  const old = openDatabase(join(folder, 'old'))
  expect((await listMigrations(old)).pending).toEqual([])
  expect(await old.selectFrom('videos').select('id').execute()).toHaveLength(counts.videos)
  await old.destroy()
  for (const name of ['920', '930', '940'])
    await copyFile(copy, join(copy, '..', `database-${name}.db`))
  await writeFile(join(copy, '..', 'database-941.db.partial'), 'half')
  await tidyUpgradeCopies(dataFolder)
  expect((await copies()).sort()).toEqual(['database-920.db', 'database-930.db', 'database-940.db'])
  await update()
  expect(await copies()).toHaveLength(3)
})

test('every foreign key has an index that finds the rows of a parent', async () => {
  await migrateToLatest(db)
  const { rows } = await sql<{ child: string; column: string }>`
    SELECT tables.name AS child, keys."from" AS "column"
    FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name) AS keys
    ORDER BY 1, 2`.execute(db)
  expect(rows.length).toBeGreaterThan(30)
  const without: string[] = []
  for (const { child, column } of rows) {
    // What SQLite itself looks up when a parent is deleted.
    const plan = await sql<{ detail: string }>`
      EXPLAIN QUERY PLAN SELECT 1 FROM ${sql.table(child)} WHERE ${sql.ref(column)} = ${1}`.execute(
      db,
    )
    const usesIndex = plan.rows.every(
      ({ detail }) =>
        detail.startsWith('SEARCH') &&
        (detail.includes(`(${column}=?`) || detail.endsWith('INTEGER PRIMARY KEY (rowid=?)')),
    )
    if (!usesIndex) without.push(`${child}.${column}: ${plan.rows[0]?.detail}`)
  }
  expect(without).toEqual([])
})

test('rows that break a rule are refused by the database itself', async () => {
  await migrateToLatest(db)
  const user = { password: 'x', displayName: 'X', createdAt: '2026-01-01T00:00:00.000Z' }
  const add = (username: string, email: string) =>
    addRows(db, 'users', { ...user, username, email })
  await add('ann', 'ann@example.org')
  await expect(add('ANN', 'other@example.org')).rejects.toThrow(/UNIQUE/)
  await expect(add('bob', 'ANN@example.org')).rejects.toThrow(/UNIQUE/)
  const subscribedAt = user.createdAt
  const subscribe = (subscriberId: number, channelId: number) =>
    db.insertInto('subscriptions').values({ subscriberId, channelId, subscribedAt }).execute()
  await expect(subscribe(1, 1)).rejects.toThrow(/CHECK/)
  await expect(subscribe(1, 99)).rejects.toThrow(/FOREIGN KEY/)
  const like = { userId: 1, isLike: 1 as const, createdAt: user.createdAt }
  await expect(db.insertInto('likes').values(like).execute()).rejects.toThrow(/CHECK/)
})
