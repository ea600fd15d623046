import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOf } from '#server/platform/db/engine.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { readMigrationsOf } from '#server/platform/db/needed-migration.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { createEmptyDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const DAY = 86_400

const folder = setUpFolder('sessions')
let url: string
beforeAll(async () => {
  url = await createEmptyDatabase()
})
afterAll(() => dropDatabase(url))

test('sessions of the release before that are not remembered end after a day on both engines', async () => {
  const now = Math.floor(Date.now() / 1000)
  for (const db of [openDatabase(folder), openPostgresDatabase(url)]) {
    const provider = readMigrationsOf(engineOf(db).migrationsFolder)
    const migrator = new Migrator({ db: db as unknown as Kysely<unknown>, provider })
    await migrator.migrateTo('036-game-identity')
    await sql`INSERT INTO "users" ("username", "displayName", "email", "password", "createdAt")
      VALUES ('ann', 'ann', 'ann', '-', ${TIME})`.execute(db)
    for (const [id, rememberMe, days] of [
      ['kept', 1, 30],
      ['long', 0, 30],
      ['soon', 0, 0.5],
    ] as const) {
      await sql`INSERT INTO "sessions" ("id", "userId", "expiresAt", "rememberMe", "createdAt")
        VALUES (${id}, 1, ${now + days * DAY}, ${rememberMe}, ${TIME})`.execute(db)
    }
    await migrateToLatest(db)
    const rows = await db.selectFrom('sessions').select(['id', 'expiresAt']).orderBy('id').execute()
    await db.destroy()
    const ends = Object.fromEntries(rows.map(({ id, expiresAt }) => [id, expiresAt - now]))
    expect(ends).toMatchObject({ kept: 30 * DAY, soon: DAY / 2 })
    expect(ends.long).toBeLessThan(DAY + 600)
  }
})
