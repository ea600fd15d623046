import { join } from 'node:path'
import { type Database, engineOf } from './engine.ts'
import { isFileLocked, lockFile } from './file-lock.ts'
import { MOVE_LOCK_FILE } from './move/move-ends.ts'
import { DATABASE_FILE } from './open.ts'
import { copyDatabase } from './sqlite/open.ts'

/** In the data folder. */
export const BACKUPS_FOLDER = 'backups'
/**
 * Empty files that are locked by the owner of the data folder, a backup, a move of media, a move of the database, and an
 * import. They are never deleted.
 */
export const LOCK_FILES = {
  owner: 'clutch.lock',
  backup: 'backup.lock',
  move: 'move.lock',
  databaseMove: MOVE_LOCK_FILE,
  import: 'import.lock',
} as const

const BACKUP_WAIT_MS = 2000

/** @returns a function that releases it; undefined when another process has it */
export function lockDataFolder(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.owner))
}

/** True while a server, or a command for a stopped site, uses it. */
export function dataFolderIsTaken(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.owner))
}

/**
 * No file in `media/` is deleted until it ends.
 * @returns a function that ends it; undefined while another one runs
 */
export function beginBackup(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.backup), { waitMs: BACKUP_WAIT_MS })
}

/**
 * While true, files in `media/` must stay. Change rows first: a backup has the change, or keeps the files.
 */
export function backupIsRunning(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.backup))
}

/** @returns a function that ends it; undefined while another one runs */
export function beginMove(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.move))
}

/** A consistent copy, also of a running site. */
export function copyDatabaseOf(dataFolder: string, target: string): void {
  copyDatabase(join(dataFolder, DATABASE_FILE), target)
}

export function countDatabaseBytes(db: Database): Promise<number> {
  return engineOf(db).countBytes(db)
}

export function listDamage(db: Database): Promise<string[]> {
  return engineOf(db).listDamage(db)
}

export function isDatabaseFile(db: Database): boolean {
  return engineOf(db).name === 'sqlite'
}

/** @returns a function that ends the import, or undefined while another one runs */
export function beginImport(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.import))
}

/** While true, the importing process finishes its own uploads. */
export function importIsRunning(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.import))
}
