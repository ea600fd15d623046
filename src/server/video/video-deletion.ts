import type { Viewer } from '../auth/lucia.ts'
import type { AppDeps } from '../context.ts'
import { backupIsRunning, type Database } from '../db/database.ts'
import { withFolderLock } from '../media/media-folder.ts'
import { removeFolder, syncFolder } from '../media/media-store.ts'
import { requireDeletable } from './video.access.ts'
import { requireVideoOwner } from './video.service.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs'>

/**
 * Deletes a video: from the answer on it exists for nobody; its files go right after, and its row
 * with all that hangs on it last, so that a crash in between leaves nothing behind.
 * @throws AppError `not-found` when invisible to the viewer, `forbidden` for others than owner and admins.
 */
export async function deleteVideo(
  deps: Deps,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  requireDeletable(await requireVideoOwner(deps.db, { id, viewer }), viewer)
  await deps.db
    .updateTable('videos')
    .set({ processingState: 'deleting' })
    .where('id', '=', id)
    .execute()
  await finishDeletion(deps, id)
}

/**
 * Removes what is left of a video marked as deleting; it may be called again. While a backup runs it
 * leaves all as it is, and the janitor comes back to it.
 */
export async function finishDeletion(deps: Deps, id: number): Promise<void> {
  const mediaKey = await findDeletingMediaKey(deps.db, id)
  if (mediaKey === undefined) return
  await deps.jobs.cancel(id)
  if (backupIsRunning(deps.config.dataFolder)) return
  await withFolderLock(mediaKey, () => removeFolder(deps.media.mediaFolder(mediaKey)))
  await syncFolder(deps.media.folders.media)
  await deps.db.deleteFrom('videos').where('id', '=', id).execute()
}

async function findDeletingMediaKey(db: Database, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('videos')
    .select('mediaKey')
    .where('id', '=', id)
    .where('processingState', '=', 'deleting')
    .executeTakeFirst()
  return row?.mediaKey
}
