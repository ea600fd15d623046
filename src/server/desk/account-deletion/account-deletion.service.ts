import {
  findPasswordHash,
  findPictures,
  listOpenUploadIds,
  listVideoIds,
} from '#server/account/settings/settings.queries.ts'
import { requirePassword } from '#server/account/settings/settings.service.ts'
import { countOtherAdmins } from '#server/account/user/user.queries.ts'
import { deleteHistory } from '#server/community/history/history.queries.ts'
import { deleteNameFromLikes } from '#server/community/notification/notification.queries.ts'
import { leaveAllSquads } from '#server/community/squad/squad.service.ts'
import { withLock } from '#server/platform/cluster/locks.ts'
import { requireConfirmed } from '#server/platform/confirmation.ts'
import type { Context } from '#server/platform/context.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeMedia } from '#server/platform/files/remove-media.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import { listFinalizingUploads } from '#server/video/upload/upload.queries.ts'
import { expireUpload } from '#server/video/upload/upload.service.ts'
import { resumeFinishing } from '#server/video/upload/upload-completion.ts'
import { finishDeletion } from '#server/video/video/video-deletion.ts'
import { markVideosAsDeleting } from '#server/video/video/video-rows.queries.ts'
import {
  deleteCommentsOf,
  deleteUser,
  findAccountDeletion,
  updateToDelete,
} from './account-deletion.queries.ts'
import { deleteTraces } from './member-traces.queries.ts'

type Deps = Pick<
  AppDeps,
  'config' | 'db' | 'disk' | 'media' | 'jobs' | 'live' | 'closing' | 'deadline'
>

/**
 * Comments on others' videos stay, without a name.
 * @throws `forbidden` for a wrong password, `unconfirmed` without one, `too-many`, `conflict` for the only admin of a site
 * with other members
 */
export async function deleteAccount(
  deps: Deps & Pick<Context, 'limits' | 'address' | 'log'>,
  input: { viewer: Viewer; session: ActiveSession; password: string },
): Promise<void> {
  const { viewer, session } = input
  // Who has none confirms otherwise.
  if ((await findPasswordHash(deps.db, viewer.id)) === '') requireConfirmed(session)
  else await requirePassword(deps, input)
  await requireAnotherAdmin(deps.db, viewer)
  await removeAccount(deps, {
    userId: viewer.id,
    withComments: false,
    within: async (transaction) => {
      await requireAnotherAdmin(transaction, viewer)
      return true
    },
  })
}

/**
 * The janitor resumes after a crash.
 * @param input.withComments also those on others' videos
 * @param input.within in the deciding transaction; false cancels
 */
export async function removeAccount(
  deps: Deps,
  input: {
    userId: number
    withComments: boolean
    within?: (transaction: DatabaseTransaction) => Promise<boolean>
  },
): Promise<void> {
  const notified = await inTransaction(deps.db, async (transaction) => {
    if ((await input.within?.(transaction)) === false) return undefined
    await updateToDelete(transaction, input)
    return leaveAllSquads(transaction, input.userId)
  })
  if (!notified) return
  deps.live.announce(notified)
  failpoint('account.marked')
  await finishAccountDeletion(deps, input.userId)
}

/** Idempotent. In a backup or outage files and rows stay for the janitor. */
export async function finishAccountDeletion(deps: Deps, userId: number): Promise<void> {
  await withLock(deps.db, `account:${userId}`, async () => {
    const withComments = await findAccountDeletion(deps.db, userId)
    if (withComments === undefined) return
    await endUploads(deps, userId)
    failpoint('account.uploads-ended')
    await markVideosAsDeleting(deps.db, await listVideoIds(deps.db, userId))
    await deleteHistory(deps.db, { userId })
    await deleteTraces(deps.db, { userId, withComments })
    failpoint('account.traces-removed')
    if (await removeFiles(deps, userId)) await removeRow(deps.db, { userId, withComments })
    failpoint('account.removed')
  })
}

/** A completing upload cannot be aborted: it becomes a video first. */
async function endUploads(deps: Deps, userId: number): Promise<void> {
  const finishing = await listFinalizingUploads(deps.db)
  for (const upload of finishing.filter((one) => one.userId === userId)) {
    await resumeFinishing(deps, upload).catch((error) => {
      if (deps.closing.aborted) throw error
    })
  }
  for (const id of await listOpenUploadIds(deps.db, userId)) await expireUpload(deps, id)
}

/** @returns false when some remain */
async function removeFiles(deps: Deps, userId: number): Promise<boolean> {
  let areGone = true
  for (const id of await listVideoIds(deps.db, userId)) {
    areGone = (await finishDeletion(deps, id)) && areGone
    failpoint('account.video-removed')
  }
  for (const url of Object.values((await findPictures(deps.db, userId)) ?? {})) {
    const mediaKey = url?.split('/')[2]
    if (mediaKey) areGone = (await removeMedia(deps, { mediaKey })) && areGone
  }
  failpoint('account.pictures-removed')
  return areGone
}

async function removeRow(
  db: Database,
  { userId, withComments }: { userId: number; withComments: boolean },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    if (withComments) await deleteCommentsOf(transaction, userId)
    await deleteNameFromLikes(transaction, userId)
    await deleteUser(transaction, userId)
  })
}

async function requireAnotherAdmin(db: Database, viewer: Viewer): Promise<void> {
  if (viewer.isAdmin && (await countOtherAdmins(db, viewer.id)) === 0) {
    throw new AppError('conflict', 'You are the only admin. Make somebody else one first.')
  }
}
