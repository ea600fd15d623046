import { requireDiskRoom } from '#server/account/room/room.service.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { DataExportFormat } from '#shared/schemas/settings.schemas.ts'
import { eachOf } from '../site-check/stored-files.ts'
import { type DataArchive, readDataArchive } from './data-archive.ts'
import { type DataExport, findDataExport, replaceDataExport } from './data-export.queries.ts'
import { EXPORT_DAYS } from './make-data-export.ts'
import { listVisibleKeys } from './own-media.queries.ts'
import { findProfile } from './sections.queries.ts'

const DAY_MS = 86_400_000
/** Enough for the `account.json` of a very active member. Media are not copied. */
const ROOM_BYTES = 64 * 1024 * 1024
const CHECKS_AT_A_TIME = 16

const CHANGED = 'Some of your videos or pictures changed after this was prepared. Prepare it again.'

/**
 * Replaces an earlier export.
 * @throws `conflict` while an export is being prepared, `no-space`
 */
export async function askForData(
  { db, disk }: Pick<AppDeps, 'db' | 'disk'>,
  { viewer, format }: { viewer: Viewer; format: DataExportFormat },
): Promise<void> {
  const userId = viewer.id
  const freeBytes = await disk.freeBytes()
  const expiresAt = timestamp(new Date(Date.now() + EXPORT_DAYS * DAY_MS))
  await inTransaction(db, async (transaction) => {
    const earlier = await findDataExport(transaction, userId)
    if (earlier?.state === 'queued' || earlier?.state === 'running') {
      throw new AppError('conflict', 'Your download is being prepared already.')
    }
    await requireDiskRoom(transaction, { bytes: ROOM_BYTES, freeBytes })
    await replaceDataExport(transaction, { userId, format, expiresAt })
  })
}

/** @throws `not-found` when there is no export, or it is not ready */
export async function requireReadyExport(db: Database, viewer: Viewer): Promise<DataExport> {
  const found = await findDataExport(db, viewer.id)
  if (found?.state === 'done') return found
  throw new AppError('not-found', 'There is no download of your data. Prepare one first.')
}

/**
 * @param input.checksFiles looks up each file in the store; requests for later ranges can skip this
 * @throws `gone` when media have changed since, or are no longer visible to the member
 */
export async function openDataArchive(
  { db, media }: { db: Database; media: MediaStore },
  input: { found: DataExport; viewer: Viewer; checksFiles: boolean },
): Promise<DataArchive> {
  const { found, checksFiles } = input
  const viewer = { ...input.viewer, isAdmin: false }
  const archive = await readDataArchive(db, found)
  const files = archive.entries.flatMap(({ file }) => file ?? [])
  const known = new Set(await listVisibleKeys(db, { exportId: found.id, viewer }))
  const profile = await findProfile(db, viewer.id)
  for (const url of [profile?.avatarUrl, profile?.bannerUrl]) known.add(url?.split('/')[2] ?? '')
  if (files.some(({ mediaKey }) => !known.has(mediaKey))) throw new AppError('gone', CHANGED)
  if (checksFiles) {
    const check = async ({ mediaKey, name, bytes }: (typeof files)[number]) => {
      const state = await media.stat(storeKey(mediaKey, name))
      if (state?.bytes !== bytes) throw new AppError('gone', CHANGED)
    }
    await eachOf(files, check, CHECKS_AT_A_TIME)
  }
  return archive
}
