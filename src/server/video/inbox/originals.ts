/** Deletes originals after their videos and videos after their originals, as the settings say. */
import { readdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import { AppError } from '#server/platform/errors.ts'
import { findUploader } from '../upload/uploader.queries.ts'
import { deleteVideo } from '../video/video-deletion.ts'
import { updateItem } from './inbox.queries.ts'
import { findFile, fullPath, isGone, openFound } from './inbox-files.ts'
import {
  deleteMissing,
  isContentThere,
  listLeavingOriginals,
  listLostOriginals,
} from './inbox-originals.queries.ts'
import { isUpToDate, type Memory } from './inbox-round.ts'
import { findInboxSettings } from './inbox-settings.queries.ts'
import type { PublishDeps } from './publish-item.ts'

const AT_A_TIME = 100
/** Renamed files and unmounted shares are usually back before this. */
const LOST_AFTER_MS = 60 * 60 * 1000
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000
const LOST = 'Its recording was deleted in its folder.'

/** Deletes originals of published items where the settings say so. */
export async function settleOriginals(deps: PublishDeps): Promise<void> {
  const { db } = deps
  let afterId = 0
  for (;;) {
    const items = await listLeavingOriginals(db, { limit: AT_A_TIME, afterId })
    const last = items.at(-1)
    if (!last) return
    afterId = last.id
    const { whenDeleted } = await findInboxSettings(db)
    for (const item of items) {
      if (deps.closing.aborted) return
      const isDeleted = item.videoId === null
      const leaves = isDeleted ? whenDeleted === 'delete' : item.original === 'leaving'
      const isRemoved = leaves && item.original !== 'removed' && (await removeOriginal(item))
      const original = isRemoved ? 'removed' : item.original === 'leaving' ? 'there' : item.original
      const state = isDeleted ? 'dismissed' : 'published'
      await updateItem(db, {
        id: item.id,
        where: { state: 'published' },
        change: { state, original },
      })
    }
  }
}

/** Deletes items whose file has been missing for a month and which nobody published or dismissed. */
export async function forgetMissing(
  { db }: Pick<PublishDeps, 'db'>,
  memory: Memory,
): Promise<void> {
  if (!isUpToDate(memory)) return
  const since = timestamp(new Date(Date.now() - FORGOTTEN_AFTER_MS))
  await inTransaction(db, (transaction) => deleteMissing(transaction, since))
}

/** @returns false if the path has another file, or the file cannot be deleted */
async function removeOriginal(item: InboxItemRow): Promise<boolean> {
  try {
    await (await openFound(item)).close()
    await unlink(fullPath(item))
    return true
  } catch {
    return false
  }
}

/**
 * Deletes videos whose originals were deleted in their folders, where the settings say so.
 * @param memory of the rounds. A file that is missing may be one that they have not examined yet.
 */
export async function settleLostOriginals(deps: PublishDeps, memory: Memory): Promise<void> {
  const { db, config } = deps
  const { whenMissing, isPaused } = await findInboxSettings(db)
  if (whenMissing === 'keep' || isPaused || !isUpToDate(memory)) return
  const since = timestamp(new Date(Date.now() - LOST_AFTER_MS))
  const { folders } = config.inbox
  for (const item of await listLostOriginals(db, { since, folders, limit: AT_A_TIME })) {
    if (deps.closing.aborted) return
    if ((await isContentThere(db, { item, since })) || !(await isDeletedThere(item))) continue
    await deleteVideoOf(deps, item)
    const change = { state: 'dismissed', original: 'removed' } as const
    await updateItem(db, { id: item.id, where: { state: 'published' }, change })
  }
}

/**
 * Returns false if the nearest folder that exists has no visible entries, because it may be the mount point of a share that is
 * not mounted.
 */
async function isDeletedThere(item: InboxItemRow): Promise<boolean> {
  if ((await findFile(item)) || !(await isGone(item))) return false
  for (let path = dirname(fullPath(item)); path.startsWith(item.folder); path = dirname(path)) {
    const names = await readdir(path).catch((error: NodeJS.ErrnoException) => error)
    if (Array.isArray(names)) return names.some((name) => !name.startsWith('.'))
    if (names.code !== 'ENOENT') return false
  }
  return false
}

async function deleteVideoOf(deps: PublishDeps, item: InboxItemRow): Promise<void> {
  const { db } = deps
  const { videoId: id, userId } = item
  const viewer = userId === null ? undefined : await findUploader(db, userId)
  if (id === null || !viewer) return
  try {
    await deleteVideo(deps, { id, viewer })
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return
    throw error
  }
  const target = { kind: 'video', id, name: item.path } as const
  await inTransaction(db, (transaction) =>
    insertAuditEntry(transaction, { actor: null, action: 'video.delete', target, reason: LOST }),
  )
}
