import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { BACKUPS_FOLDER } from '#server/platform/db/maintain.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { requireSafeName } from '#server/platform/files/safe-keys.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Backup } from '#shared/schemas/desk/storage.schemas.ts'
import { CommandFailedError, runCommandProcess } from '../command-process/command-process.ts'
import {
  deleteBackup,
  findBackup,
  findLastBackup,
  findLastNightly,
  insertBackup,
  listNightlyToDrop,
  updateBackup,
} from './backup.queries.ts'
import { heldBytes, heldFiles, readManifest } from './backup-manifest.ts'
import { hasFileBackups, requireFileBackups } from './file-backups.ts'

type Log = { warn: (details: object, message: string) => void }
type Deps = Pick<AppDeps, 'config' | 'closing' | 'db'> & { log: Log }

const HOUR_MS = 3_600_000
/** A failed nightly backup waits for the next night. */
const NIGHT_MS = 12 * HOUR_MS

export const backupFolder = (deps: Pick<AppDeps, 'config'>, name: string) =>
  join(deps.config.dataFolder, BACKUPS_FOLDER, requireSafeName(name))

/**
 * In its own process; the row has the result.
 * @throws `conflict` while one runs, and without a database file
 */
export async function startBackup(deps: Deps, input: { viewer: Viewer }): Promise<Backup> {
  requireFileBackups(deps.db)
  const id = await openBackup(deps.db, { cause: 'asked', actor: input.viewer })
  make(deps, id).catch((error) => deps.log.warn({ err: error }, 'a backup could not be recorded'))
  return requireBackup(deps.db, id)
}

export async function makeNightlyBackup(deps: Deps, now: Date = new Date()): Promise<void> {
  const { db } = deps
  if (!hasFileBackups(db)) return
  const { backupHour, backupsKept } = await findSiteSettings(db)
  if (backupHour === null || now.getHours() !== backupHour) return
  const last = await findLastNightly(db)
  // The clock may be set back.
  if (last && Math.abs(now.getTime() - Date.parse(last)) < NIGHT_MS) return
  if ((await findLastBackup(db))?.state === 'running') return
  const id = await openBackup(db, { cause: 'nightly', actor: null })
  await make(deps, id)
  for (const old of await listNightlyToDrop(db, backupsKept)) await drop(deps, old)
}

/** @throws `conflict` when incomplete, being sent, or without an off-site store */
export async function resendBackup(deps: Deps, id: number): Promise<void> {
  const { name, sendState } = await requireWholeBackup(deps.db, id)
  if (!deps.config.offsite) throw new AppError('conflict', 'BACKUP_TARGET is not set.')
  if (sendState === 'sending') throw new AppError('conflict', 'This backup is being sent already.')
  send(deps, { id, name }).catch((err) => deps.log.warn({ err }, 'a backup was not recorded'))
}

/** @throws `conflict` for an unfinished one */
export async function removeBackup(
  deps: Deps,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const backup = await requireBackup(deps.db, input.id)
  if (backup.state === 'running') {
    throw new AppError('conflict', 'This backup is being made. Please wait until it is done.')
  }
  await drop(deps, backup)
  const target = { kind: 'backup', id: backup.id, name: backup.name } as const
  await insertAuditEntry(deps.db, { actor: input.viewer, action: 'backup.delete', target })
}

async function requireBackup(db: Database, id: number): Promise<Backup> {
  const backup = await findBackup(db, id)
  if (!backup) throw new AppError('not-found', 'There is no such backup.')
  return backup
}

/** @throws `conflict` for an incomplete one */
export async function requireWholeBackup(db: Database, id: number): Promise<Backup> {
  const backup = await requireBackup(db, id)
  if (backup.state !== 'done') throw new AppError('conflict', 'This backup is incomplete.')
  return backup
}

async function openBackup(
  db: Database,
  input: { cause: Backup['cause']; actor: Viewer | null },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    if ((await findLastBackup(transaction))?.state === 'running') {
      throw new AppError('conflict', 'A backup is being made already.')
    }
    const name = timestamp().replaceAll(/[:.]/g, '-').toLowerCase()
    const id = await insertBackup(transaction, { name, cause: input.cause })
    const target = { kind: 'backup', id, name } as const
    await insertAuditEntry(transaction, { actor: input.actor, action: 'backup.make', target })
    return id
  })
}

async function make(deps: Deps, id: number): Promise<void> {
  const { db } = deps
  const { name } = await requireBackup(db, id)
  const folder = backupFolder(deps, name)
  try {
    await mkdir(join(folder, '..'), { recursive: true })
    await runCommandProcess(deps, { command: 'backup', words: [folder] })
    const manifest = await readManifest(folder)
    const { videos, members } = manifest
    const files = heldFiles(manifest).length
    const result = { bytes: heldBytes(manifest), files, videos, members }
    const change = { state: 'done' as const, finishedAt: timestamp(), ...result }
    await updateBackup(db, { id, change })
    if (deps.config.offsite) await send(deps, { id, name })
  } catch (error) {
    // At shutdown the database may be closed; the next start ends the row.
    if (deps.closing.aborted) return
    const text = error instanceof CommandFailedError ? error.message : 'The backup broke off.'
    deps.log.warn({ err: error, backup: name }, 'a backup failed')
    await removeFolder(`${folder}.partial`)
    const finishedAt = timestamp()
    await updateBackup(db, { id, change: { state: 'failed', finishedAt, error: text } })
  }
}

/** The row has the result. */
async function send(deps: Deps, { id, name }: Pick<Backup, 'id' | 'name'>): Promise<void> {
  const { db } = deps
  const { backupsKept } = await findSiteSettings(db)
  await updateBackup(db, { id, change: { sendState: 'sending', sendError: null } })
  try {
    const words = [backupFolder(deps, name), '--keep', String(backupsKept)]
    await runCommandProcess(deps, { command: 'send-backup', words })
    await updateBackup(db, { id, change: { sendState: 'sent' } })
  } catch (error) {
    if (deps.closing.aborted) return
    const text = error instanceof CommandFailedError ? error.message : 'The sending broke off.'
    deps.log.warn({ err: error, backup: name }, 'a backup was not sent')
    await updateBackup(db, { id, change: { sendState: 'failed', sendError: text } })
  }
}

async function drop(deps: Deps, { id, name }: Pick<Backup, 'id' | 'name'>): Promise<void> {
  const folder = backupFolder(deps, name)
  await removeFolder(folder)
  await removeFolder(`${folder}.partial`)
  await deleteBackup(deps.db, id)
}
