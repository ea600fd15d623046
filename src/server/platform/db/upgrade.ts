import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { withLock } from '../cluster/locks.ts'
import { syncFile, syncFolder } from '../durable-files.ts'
import { AppError } from '../errors.ts'
import { failpoint } from '../failpoints.ts'
import type { Database } from './database.ts'
import { engineOf } from './engine.ts'
import { BACKUPS_FOLDER, copyDatabaseOf } from './maintain.ts'
import { listMigrations, migrateToLatest, requireKnownSchema } from './migrate.ts'
import { requireNotMoved } from './move/moved-site.ts'

const COPIES_FOLDER = 'before-update'
const COPIES_KEPT = 3
const FOREIGN_TABLES =
  'The database that DATABASE_URL names holds tables of another program. Name an empty one.'
const COPY_NAME = /^database-\d{3,}\.db$/

/**
 * In one transaction. A file with data is copied first, the last 3 copies stay:
 * `backups/before-update/database-015.db` has the schema of migration 015.
 * @param during gets the work on a database with data, which may block this thread for minutes
 * @throws `conflict`, before any change, for a newer version, another program, or a database that a
 * site has left; what a migration or a full disk throws
 */
export async function upgradeDatabase(
  db: Database,
  dataFolder: string,
  during: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<void> {
  await withLock(db, 'upgrade', () => upgradeInTurn(db, { dataFolder, during }))
}

async function upgradeInTurn(
  db: Database,
  input: { dataFolder: string; during: (work: () => Promise<void>) => Promise<void> },
): Promise<void> {
  const { dataFolder, during } = input
  await requireKnownSchema(db)
  await requireNotMoved(db)
  const { done, pending } = await listMigrations(db)
  const last = done.at(-1)
  if (!last && (await engineOf(db).hasForeignTables?.(db))) {
    throw new AppError('conflict', FOREIGN_TABLES)
  }
  if (last && pending.length > 0 && (await hasMembers(db))) {
    await during(async () => {
      if (engineOf(db).name === 'sqlite') await copyBeforeUpgrade(dataFolder, last)
      failpoint('upgrade.copied')
      await migrateToLatest(db)
    })
  } else await migrateToLatest(db)
  failpoint('upgrade.migrated')
}

async function hasMembers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).execute()).length > 0
}

async function copyBeforeUpgrade(dataFolder: string, migration: string): Promise<void> {
  const folder = copiesFolder(dataFolder)
  await mkdir(folder, { recursive: true })
  const path = join(folder, `database-${migration.split('-')[0]}.db`)
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  copyDatabaseOf(dataFolder, partial)
  await syncFile(partial)
  await rename(partial, path)
  await syncFolder(folder)
  await syncFolder(join(folder, '..'))
  await tidyUpgradeCopies(dataFolder)
}

/** Also partial copies of a crash. */
export async function tidyUpgradeCopies(dataFolder: string): Promise<void> {
  const names = await listNames(dataFolder)
  const complete = names.filter((name) => COPY_NAME.test(name)).sort(byNumber)
  const partial = names.filter((name) => name.endsWith('.partial'))
  for (const name of [...partial, ...complete.slice(0, -COPIES_KEPT)]) {
    await rm(join(copiesFolder(dataFolder), name), { force: true })
  }
}

/** By schema, oldest first. */
export async function listUpgradeCopies(dataFolder: string): Promise<string[]> {
  const names = (await listNames(dataFolder)).filter((name) => COPY_NAME.test(name))
  return names.sort(byNumber).map((name) => join(copiesFolder(dataFolder), name))
}

/** Below the data folder, with forward slashes. */
export function describeUpgradeCopy(path: string): string {
  return `${BACKUPS_FOLDER}/${COPIES_FOLDER}/${basename(path)}`
}

const copiesFolder = (dataFolder: string) => join(dataFolder, BACKUPS_FOLDER, COPIES_FOLDER)

async function listNames(dataFolder: string): Promise<string[]> {
  return readdir(copiesFolder(dataFolder)).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

function byNumber(a: string, b: string): number {
  return Number(a.match(/\d+/)?.[0]) - Number(b.match(/\d+/)?.[0])
}
