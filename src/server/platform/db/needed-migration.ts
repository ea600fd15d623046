import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { FileMigrationProvider, type Migration, type MigrationProvider } from 'kysely/migration'
import { AppError } from '../errors.ts'
import { type Database, engineOf } from './engine.ts'
import { listNodeVersions } from './node.queries.ts'

/**
 * The previous version's nodes run during a migration, so it only adds; a later release removes.
 * One that cannot exports `needsAllNodes = true`. See
 * docs/decisions/0049-nodes-come-and-go.md.
 */
type NodeMigration = Migration & { needsAllNodes?: boolean }

/** Records, in its transaction, a migration that needs all nodes. */
export function readMigrationsOf(folder: string): MigrationProvider {
  const files = new FileMigrationProvider({ fs, path: { join }, migrationFolder: folder })
  return {
    async getMigrations() {
      const found = Object.entries<NodeMigration>(await files.getMigrations())
      return Object.fromEntries(
        found.map(([name, migration]) => [
          name,
          migration.needsAllNodes ? noteNeeded(name, migration) : migration,
        ]),
      )
    },
  }
}

function noteNeeded(name: string, migration: NodeMigration): NodeMigration {
  return {
    needsAllNodes: true,
    async up(db) {
      await migration.up(db)
      await updateNeededMigration(db, name)
    },
  }
}

/** Rows from another database have other migrations. */
export async function restoreNeededMigration(db: Database): Promise<void> {
  const provider = readMigrationsOf(engineOf(db).migrationsFolder)
  const migrations: Record<string, NodeMigration> = await provider.getMigrations()
  const needed = Object.keys(migrations).filter((name) => migrations[name]?.needsAllNodes)
  await updateNeededMigration(db, needed.sort().at(-1) ?? null)
}

async function updateNeededMigration(db: Database, neededMigration: string | null): Promise<void> {
  await db.updateTable('siteSettings').set({ neededMigration }).where('id', '=', 1).execute()
}

/** The newest that every node must know. */
export async function findNeededMigration(db: Database): Promise<string | null> {
  const row = await db
    .selectFrom('siteSettings')
    .select('neededMigration')
    .where('id', '=', 1)
    .executeTakeFirst()
  return row?.neededMigration ?? null
}

/**
 * @param pending of a database that has migrations
 * @throws `conflict` when one needs all nodes, and others run
 */
export async function requireNodesGone(
  db: Database,
  { provider, pending }: { provider: MigrationProvider; pending: string[] },
): Promise<void> {
  const migrations: Record<string, NodeMigration> = await provider.getMigrations()
  if (!pending.some((name) => migrations[name]?.needsAllNodes)) return
  const nodes = await listNodeVersions(db)
  if (nodes.length === 0) return
  const names = nodes.map(({ name, version }) => `${name} (${version})`).join(', ')
  throw new AppError(
    'conflict',
    `This version changes the database so that others cannot go on with it. Stop all nodes first; these were seen within the last 30 seconds: ${names}.`,
  )
}
