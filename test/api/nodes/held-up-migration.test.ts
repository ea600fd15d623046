import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { upgradeDatabase } from '#server/platform/db/upgrade.ts'
import {
  createMigratedDatabase,
  dropDatabase,
  undoNewest,
} from '#test/support/postgres-databases.ts'
import { until } from '#test/support/until.ts'

let url: string
let db: Database
const warnings: string[] = []
const note = ({ message }: Error) => warnings.push(message)
beforeAll(async () => {
  url = await createMigratedDatabase()
  await undoNewest(url)
  db = openPostgresDatabase(url, { isPatient: true })
  process.on('warning', note)
})
afterAll(async () => {
  process.off('warning', note)
  await db.destroy()
  await dropDatabase(url)
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Somebody waits for a lock on a table. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM "pg_locks" WHERE NOT "granted" AND "relation" = '"siteSettings"'::regclass`.execute(
    db,
  )
  return rows.length > 0
}

test('a migration that waits for a dump lets others read meanwhile, and ends after it', async () => {
  const [dump, reader] = await Promise.all([connect(), connect()])
  try {
    await dump.query('BEGIN; LOCK TABLE "siteSettings" IN ACCESS SHARE MODE')
    const upgraded = upgradeDatabase(db, '')
    await until(isWaiting)
    // A request is given up after 15 s; this one has come in behind the migration.
    await reader.query(`SET statement_timeout = '10s'`)
    const { rows } = await reader.query('SELECT "id" FROM "siteSettings"')
    expect(rows).toHaveLength(1)
    await until(() => warnings.length > 0)
    expect((await listMigrations(db)).pending.map((name) => name.slice(0, 3))).toContain('019')
    await dump.query('COMMIT')
    await upgraded
    expect((await listMigrations(db)).pending).toEqual([])
    expect(warnings).toEqual([
      'The update of the database waits for another program that uses its tables, such as a dump.',
    ])
  } finally {
    await Promise.all([dump.end(), reader.end()])
  }
})
