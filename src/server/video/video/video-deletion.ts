import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeMedia } from '#server/platform/files/remove-media.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { withFolderLock } from './folder-lock.ts'
import { requireDeletable } from './video.access.ts'
import { videoDeletedByAdmin } from './video.events.ts'
import { requireVideoOwner } from './video.service.ts'
import {
  deleteVideoRows,
  findDeletingMediaKey,
  markVideosAsDeleting,
} from './video-rows.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs' | 'live'>

/**
 * Hides it at once; its row goes last, so that the janitor can resume. An admin's deletion is
 * audited.
 */
export async function deleteVideo(
  deps: Deps,
  input: { id: number; viewer: Viewer; reason?: string },
): Promise<void> {
  const { id, viewer, reason = '' } = input
  const video = await requireVideoOwner(deps.db, { id, viewer })
  requireDeletable(video, viewer)
  const notified = await inTransaction(deps.db, async (transaction) => {
    await markVideosAsDeleting(transaction, [id])
    if (video.userId === viewer.id) return []
    return recordDeletion(transaction, { video, viewer, reason })
  })
  failpoint('delete.marked')
  deps.live.announce(notified)
  await finishDeletion(deps, id)
}

async function recordDeletion(
  db: DatabaseTransaction,
  input: { video: { id: number; userId: number; title: string }; viewer: Viewer; reason: string },
): Promise<number[]> {
  const { video, viewer, reason } = input
  const target = { kind: 'video', id: video.id, name: video.title } as const
  await insertAuditEntry(db, { actor: viewer, action: 'video.delete', target, reason })
  if (!reason) return []
  return (await videoDeletedByAdmin.raise({ db, video, adminId: viewer.id, reason })).flat()
}

/**
 * Idempotent.
 * @returns false during a backup or outage: the janitor retries
 */
export async function finishDeletion(deps: Omit<Deps, 'live'>, id: number): Promise<boolean> {
  const mediaKey = await findDeletingMediaKey(deps.db, id)
  if (mediaKey === undefined) return true
  await deps.jobs.cancel(id)
  const isGone = await withFolderLock(deps.db, mediaKey, () => removeMedia(deps, { mediaKey }))
  if (!isGone) return false
  failpoint('delete.files-removed')
  await deleteVideoRows(deps.db, [id])
  failpoint('delete.rows-removed')
  return true
}
