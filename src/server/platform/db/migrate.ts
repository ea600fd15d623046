import { promises as fs } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { AppError } from '../errors.ts'
import { type Database, type Engine, engineOf } from './engine.ts'
import { isHeldUp } from './errors.ts'
import { requireNotMoved } from './move/moved-site.ts'
import { findNeededMigration, readMigrationsOf, requireNodesGone } from './needed-migration.ts'

/** Doubles up to the longest. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 4000
const HELD_UP =
  'The update of the database waits for another program that uses its tables, such as a dump.'
/** First migration of unreleased versions. */
const BEFORE_RELEASE = '001-initial-schema'
export const NEWER_VERSION =
  'The database was written by a newer version of Clutch. Update Clutch first.'
const UNRELEASED =
  'The database was written by a Clutch from before its first release, which this one cannot read. Start with an empty data folder.'

/**
 * In one transaction. While others lock tables, such as a dump, it retries; queued clients continue
 * in its pauses.
 * @throws when a migration fails; `conflict` for a newer version's database, or when nodes
 * run that a migration does not support
 */
export async function migrateToLatest(db: Database): Promise<void> {
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await applyMigrations(db)
    } catch (error) {
      if (!isHeldUp(error)) throw error
    }
    if (wait === FIRST_PAUSE_MS) process.emitWarning(HELD_UP)
    await pause(wait)
  }
}

async function applyMigrations(db: Database): Promise<void> {
  await requireKnownSchema(db)
  const { done, pending } = await listMigrations(db)
  if (pending.length === 0) return
  const provider = readMigrationsOf(engineOf(db).migrationsFolder)
  if (done.length > 0) await requireNodesGone(db, { provider, pending })
  const migrator = new Migrator({
    db: db as unknown as Kysely<unknown>,
    provider: boundLockWaits(provider, engineOf(db)),
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** In the transaction, as Kysely sets another limit before. */
function boundLockWaits(provider: MigrationProvider, engine: Engine): MigrationProvider {
  const bound = ({ up, ...rest }: Migration): Migration => ({
    ...rest,
    async up(db) {
      await engine.boundLockWaits?.(db)
      await up(db)
    },
  })
  return {
    async getMigrations() {
      const found = Object.entries(await provider.getMigrations())
      return Object.fromEntries(found.map(([name, migration]) => [name, bound(migration)]))
    },
  }
}

export async function listMigrations(db: Database): Promise<{ done: string[]; pending: string[] }> {
  const done = await engineOf(db).listDoneMigrations(db)
  const known = await listKnownMigrations(db)
  return { done, pending: known.filter((name) => !done.includes(name)) }
}

/**
 * @throws `conflict`, without changes, for a newer version that does not support this one, or one
 * before the first release
 */
export async function requireKnownSchema(db: Database): Promise<void> {
  const known = await listKnownMigrations(db)
  const done = await engineOf(db).listDoneMigrations(db)
  if (done.every((name) => known.includes(name))) return
  if (done.includes(BEFORE_RELEASE)) throw new AppError('conflict', UNRELEASED)
  if (engineOf(db).cluster.nodeId !== null && known.every((name) => done.includes(name))) {
    // Nodes are updated one by one: a newer schema may support this version.
    if (leavesRoom(await findNeededMigration(db), known)) return
  }
  throw new AppError('conflict', NEWER_VERSION)
}

/**
 * @param needed by `findNeededMigration`
 * @param known by the program
 */
export function leavesRoom(needed: string | null, known: string[]): boolean {
  return needed === null || known.includes(needed)
}

/**
 * @throws `conflict`, without changes, unless the schema is this version's and the site has not
 * moved
 */
export async function requireCurrentSchema(db: Database): Promise<void> {
  await requireKnownSchema(db)
  await requireNotMoved(db)
  if ((await listMigrations(db)).pending.length === 0) return
  const sentence =
    'The database was written by an older version of Clutch. Start the site once first.'
  throw new AppError('conflict', sentence)
}

export async function listKnownMigrations(db: Database): Promise<string[]> {
  const files = await fs.readdir(engineOf(db).migrationsFolder)
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}
