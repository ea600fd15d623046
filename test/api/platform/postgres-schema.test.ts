import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteIsOpen } from '#server/account/invite/invite.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { listMigrations, migrateToLatest } from '#server/platform/db/migrate.ts'
import { readMigrationsOf } from '#server/platform/db/needed-migration.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { describePostgres, describeSqlite } from '#test/support/described-schema.ts'
import { createEmptyDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('engines')
let url: string
let sqlite: Database
let postgres: Database
beforeAll(async () => {
  sqlite = openDatabase(folder)
  url = await createEmptyDatabase()
  postgres = openPostgresDatabase(url)
  await Promise.all([sqlite, postgres].map(migrateToLatest))
})
afterAll(async () => {
  await Promise.all([sqlite, postgres].map((db) => db.destroy()))
  await dropDatabase(url)
})

test('the migrations of both engines end in the same schema', async () => {
  const described = await describeSqlite(sqlite)
  expect(described.length).toBeGreaterThan(500)
  expect(await describePostgres(postgres)).toEqual(described)
})

test('from the first that both have on, a migration is two files of one name', async () => {
  const [ofSqlite, ofPostgres] = await Promise.all([sqlite, postgres].map(listMigrations))
  const first = ofPostgres?.done[0]?.slice(0, 3) ?? ''
  expect(ofPostgres?.done.slice(1)).toEqual(
    ofSqlite?.done.filter((name) => name.slice(0, 3) > first),
  )
  expect([ofSqlite?.pending, ofPostgres?.pending]).toEqual([[], []])
})

test('codes of invites that could be read are hashed by both in the same way', async () => {
  const older = join(folder, 'older')
  await mkdir(older)
  const address = await createEmptyDatabase()
  const code = 'a-readable_Code'
  const codeHash = createHash('sha256').update(code).digest('hex')
  try {
    for (const db of [openDatabase(older), openPostgresDatabase(address)]) {
      const provider = readMigrationsOf(engineOf(db).migrationsFolder)
      await new Migrator({ db: db as unknown as Kysely<unknown>, provider }).migrateTo(
        '021-node-problem',
      )
      await sql`INSERT INTO "invites" ("code", "usesMax", "createdAt") VALUES (${code}, 9, '')`.execute(
        db,
      )
      await migrateToLatest(db)
      expect(await db.selectFrom('invites').select('codeHash').execute()).toEqual([{ codeHash }])
      expect(await inviteIsOpen(db, codeHash)).toBe(true)
      await db.destroy()
    }
  } finally {
    await dropDatabase(address)
  }
})

test('both begin with the same rows, but for what is drawn by lot and what nodes need', async () => {
  for (const table of ['siteSettings', 'storageTotals', 'searchState'] as const) {
    const [here, there] = await Promise.all(
      [sqlite, postgres].map((db) => db.selectFrom(table).selectAll().execute()),
    )
    const alike = (rows: object[] = []) =>
      rows.map((row) => ({ ...row, viewerSecret: '', neededMigration: '' }))
    expect(alike(there)).toEqual(alike(here))
  }
  const secret = await postgres.selectFrom('siteSettings').select('viewerSecret').executeTakeFirst()
  expect(secret?.viewerSecret).toMatch(/^[\dA-F]{64}$/)
})
