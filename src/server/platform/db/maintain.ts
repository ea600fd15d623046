import { join } from 'node:path'
import { type Database, engineOf } from './engine.ts'
import { isFileLocked, lockFile } from './file-lock.ts'
import { MOVE_LOCK_FILE } from './move/move-ends.ts'
import { DATABASE_FILE } from './open.ts'
import { copyDatabase } from './sqlite/open.ts'

/** The folder of the site's own backups in the data folder. */
export const BACKUPS_FOLDER = 'backups'
/**
 * Locked by the process that owns the data folder, by a backup, by a move of media, and by a move of the database. They
 * are empty and never deleted.
 */
export const LOCK_FILES = {
  owner: 'clutch.lock',
  backup: 'backup.lock',
  move: 'move.lock',
  databaseMove: MOVE_LOCK_FILE,
} as const

const BACKUP_WAIT_MS = 2000

/**
 * Takes the data folder for this process.
 * @returns a function that releases it, or undefined when another process has it
 */
export function lockDataFolder(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.owner))
}

/** Whether a server, or a command that needs the site stopped, has the data folder. */
export function dataFolderIsTaken(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.owner))
}

/**
 * Begins a backup of the data folder: until it ends, no file in `media/` is deleted. The end of its process ends it.
 * @returns a function that ends it, or undefined when another backup is running
 */
export function beginBackup(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.backup), { waitMs: BACKUP_WAIT_MS })
}

/**
 * Whether files in `media/` must stay for now. A row is changed first and this asked second: then a
 * backup either sees the change in its snapshot, or keeps the files.
 */
export function backupIsRunning(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.backup))
}

/** Begins a move of media to another store. @returns a function that ends it, or undefined while another one runs */
export function beginMove(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.move))
}

/** Writes a whole, consistent copy of a site's database to a new file, also while the site runs. */
export function copyDatabaseOf(dataFolder: string, target: string): void {
  copyDatabase(join(dataFolder, DATABASE_FILE), target)
}

/** The bytes that the database takes where it is. */
export function countDatabaseBytes(db: Database): Promise<number> {
  return engineOf(db).countBytes(db)
}

/** A sentence for each damage of the database: broken pages, rows that refer to missing ones. */
export function listDamage(db: Database): Promise<string[]> {
  return engineOf(db).listDamage(db)
}

/** Whether the database is a file in the data folder; otherwise it is on a server. */
export function isDatabaseFile(db: Database): boolean {
  return engineOf(db).name === 'sqlite'
}
