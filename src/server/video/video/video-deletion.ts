import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeMedia } from '#server/platform/files/remove-media.ts'
import { beginWork, type LongWork } from '#server/platform/long-work/long-work.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { withFolderLock } from './folder-lock.ts'
import { requireDeletable } from './video.access.ts'
import { videoDeletedByAdmin } from './video.events.ts'
import { requireVideoOwner } from './video.service.ts'
import {
  DELETING_ROWS,
  deleteSomeRows,
  deleteVideoRows,
  findDeletingMediaKey,
  markVideosAsDeleting,
} from './video-rows.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs' | 'live'>

/**
 * Hides it at once, and does not wait for the last of many rows; its own goes last, so that the janitor
 * can resume. An admin's deletion is audited.
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
  deps.live.videos.announce(id, 'access')
  if ((await removeFiles(deps, id)) !== 'gone') return
  await inTransaction(deps.db, (transaction) =>
    beginWork(transaction, deleteRowsOfVideo, { targetId: id }),
  )
  failpoint('delete.rows-removed')
}

export const deleteRowsOfVideo: LongWork = {
  kind: DELETING_ROWS,
  async step(db, { targetId }) {
    return { reachedId: (await deleteSomeRows(db, targetId)) ? null : 0, notified: [] }
  },
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
 * Idempotent. With all rows, however many.
 * @returns false during a backup or outage: the janitor retries
 */
export async function finishDeletion(deps: Omit<Deps, 'live'>, id: number): Promise<boolean> {
  const files = await removeFiles(deps, id)
  if (files === 'gone') {
    await deleteVideoRows(deps.db, id)
    failpoint('delete.rows-removed')
  }
  return files !== 'left'
}

/** @returns `none` of a video that is not in deletion, or stays as a previous recording */
async function removeFiles(
  deps: Omit<Deps, 'live'>,
  id: number,
): Promise<'none' | 'left' | 'gone'> {
  const mediaKey = await findDeletingMediaKey(deps.db, id)
  if (mediaKey === undefined) return 'none'
  await deps.jobs.cancel(id)
  const areGone = await withFolderLock(deps.db, mediaKey, () => removeMedia(deps, { mediaKey }))
  if (!areGone) return 'left'
  failpoint('delete.files-removed')
  return 'gone'
}
