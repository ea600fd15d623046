import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { readMigrationsOf } from '#server/platform/db/needed-migration.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { findLocalHosts } from '#server/platform/site/site.queries.ts'
import { createEmptyDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400

const folder = setUpFolder('account')
let url: string
let engines: Database[]

beforeAll(async () => {
  url = await createEmptyDatabase()
  engines = [openDatabase(folder), openPostgresDatabase(url)]
  for (const db of engines) {
    const provider = readMigrationsOf(engineOf(db).migrationsFolder)
    const migrator = new Migrator({ db: db as unknown as Kysely<unknown>, provider })
    await migrator.migrateTo('036-game-identity')
    await addSessions(db)
    await migrator.migrateTo('043-squads-in-reach')
    await addProviders(db)
    await migrateToLatest(db)
  }
})
afterAll(async () => {
  for (const db of engines) await db.destroy()
  await dropDatabase(url)
})

async function addSessions(db: Database): Promise<void> {
  await sql`INSERT INTO "users" ("username", "displayName", "email", "password", "createdAt")
    VALUES ('ann', 'ann', 'ann', '-', ${TIME})`.execute(db)
  for (const [id, rememberMe, days] of [
    ['kept', 1, 30],
    ['long', 0, 30],
    ['soon', 0, 0.5],
  ] as const) {
    await sql`INSERT INTO "sessions" ("id", "userId", "expiresAt", "rememberMe", "createdAt")
      VALUES (${id}, 1, ${NOW + days * DAY}, ${rememberMe}, ${TIME})`.execute(db)
  }
}

async function addProviders(db: Database): Promise<void> {
  for (const [issuer, isLocal] of [
    ['https://auth.lan/realms/home', 1],
    ['http://10.0.0.5:9000', 1],
    ['http://10.0.0.5:9000/other', 1],
    ['https://auth.example.org', 0],
  ] as const) {
    await sql`INSERT INTO "identityProviders" ("source", "kind", "name", "issuer", "clientId", "isLocal", "createdAt")
      VALUES ('desk', 'oidc', 'Home', ${issuer}, 'clutch', ${isLocal}, ${TIME})`.execute(db)
  }
  await sql`UPDATE "siteSettings" SET "updateAddress" = 'https://git.lan/latest'`.execute(db)
}

test('sessions that are not remembered end after a day on both engines', async () => {
  for (const db of engines) {
    const rows = await db.selectFrom('sessions').select(['id', 'expiresAt']).orderBy('id').execute()
    const ends = Object.fromEntries(rows.map(({ id, expiresAt }) => [id, expiresAt - NOW]))
    expect(ends).toMatchObject({ kept: 30 * DAY, soon: DAY / 2 })
    expect(ends.long).toBeLessThan(DAY + 600)
  }
})

test('hosts that could be asked on the local network are listed on both engines', async () => {
  for (const db of engines) {
    expect(await findLocalHosts(db)).toEqual(['auth.lan', '10.0.0.5:9000', 'git.lan'])
  }
})
