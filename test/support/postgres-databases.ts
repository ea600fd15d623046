import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { engineOf } from '#server/platform/db/engine.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { readMigrationsOf } from '#server/platform/db/needed-migration.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { startPostgres } from './postgres-server.ts'

/** What the databases of this process begin with. */
const PREFIX = `clutch_test_${process.pid}_${randomBytes(4).toString('hex')}`

let server: Promise<string> | undefined
let template: Promise<string> | undefined
let count = 0

/** The address of a server's database, as `TEST_DATABASE_URL` says, or of a server for all tests of this process. */
async function findServer(): Promise<string> {
  server ??= process.env.TEST_DATABASE_URL
    ? Promise.resolve(process.env.TEST_DATABASE_URL)
    : startPostgres().then(({ url }) => url)
  return server
}

/**
 * @param options how it differs from others, as CREATE DATABASE takes it
 * @returns the address of a new and empty database
 */
export async function createEmptyDatabase(options = ''): Promise<string> {
  return createDatabase('template0', options)
}

/** @returns the address of a new database that is migrated, copied from one that was once */
export async function createMigratedDatabase(): Promise<string> {
  const { TEST_DATABASE_TEMPLATE: ofAll } = process.env
  template ??= ofAll ? Promise.resolve(ofAll) : createTemplate()
  return createDatabase(nameOf(await template))
}

/** Recreates a database as a new one of the release before migration 019. */
export async function undoNewest(url: string): Promise<void> {
  await ask('DROP SCHEMA "public" CASCADE; CREATE SCHEMA "public"', url)
  const db = openPostgresDatabase(url)
  try {
    const provider = readMigrationsOf(engineOf(db).migrationsFolder)
    const migrator = new Migrator({ db: db as unknown as Kysely<unknown>, provider })
    const { error } = await migrator.migrateTo('018-nodes')
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

/** Ends the sessions of a database. @returns the address of a copy of it */
export async function copyOfDatabase(url: string): Promise<string> {
  const name = nameOf(url)
  await ask(
    `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity" WHERE "datname" = '${name}'`,
  )
  return createDatabase(name)
}

/** @returns the address of a new database that is migrated, and to which nobody is connected */
export async function createTemplate(): Promise<string> {
  const url = await createEmptyDatabase()
  const db = openPostgresDatabase(url)
  await migrateToLatest(db)
  await db.destroy()
  return url
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

async function createDatabase(from: string, options = ''): Promise<string> {
  const name = `${PREFIX}_${++count}`
  await ask(`CREATE DATABASE "${name}" TEMPLATE "${from}" ${options}`)
  const url = new URL(await findServer())
  url.pathname = `/${name}`
  return url.href
}

/** Drops a database that one of these functions created, whoever is connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  await ask(`DROP DATABASE IF EXISTS "${nameOf(url)}" WITH (FORCE)`)
}

/** Tells the server something, as who may do everything; or one of its databases. */
export async function ask(statement: string, url?: string): Promise<void> {
  const client = new pg.Client({ connectionString: url ?? (await findServer()) })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
