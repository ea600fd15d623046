import {
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
  timestamp,
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
import type { DeleteAccount } from '#shared/schemas/settings.schemas.ts'
import {
  deleteCommentsOf,
  deleteUser,
  findAccountDeletion,
  isDueAccount,
  listDueAccounts,
  updateToDelete,
  updateToDeleteAt,
} from './account-deletion.queries.ts'
import { deleteTraces } from './member-traces.queries.ts'

type Deps = Pick<
  AppDeps,
  'config' | 'db' | 'disk' | 'media' | 'jobs' | 'live' | 'closing' | 'deadline'
>

const DAY_MS = 86_400_000

/**
 * Deletes the account at once or after some days. Comments on others' videos stay, without a name. With a delay,
 * sessions and API tokens end at once, and everything else is deleted with the account: see
 * docs/decisions/0082-ones-own-data.md.
 * @throws `forbidden` for a wrong password, `unconfirmed` without one, `too-many`, `conflict` for the only admin of a
 * site with other members
 */
export async function deleteAccount(
  deps: Deps & Pick<Context, 'limits' | 'address' | 'log' | 'arrival'>,
  input: DeleteAccount & { viewer: Viewer; session: ActiveSession },
): Promise<void> {
  const { viewer, password, inDays } = input
  if (password === undefined) requireConfirmed(input.session)
  else await requirePassword(deps, { viewer, password })
  await requireAnotherAdmin(deps.db, viewer)
  if (inDays > 0) {
    await deleteLater(deps, { viewer, deletesAt: new Date(Date.now() + inDays * DAY_MS) })
    return
  }
  await removeAccount(deps, {
    userId: viewer.id,
    withComments: false,
    within: async (transaction) => {
      await requireAnotherAdmin(transaction, viewer)
      return true
    },
  })
  deps.log.info({ userId: viewer.id, address: deps.address }, 'account deleted')
}

async function deleteLater(
  { db, live, log, address }: Pick<Context, 'db' | 'live' | 'log' | 'address'>,
  input: { viewer: Viewer; deletesAt: Date },
): Promise<void> {
  const { viewer } = input
  const { id: userId } = viewer
  const deletesAt = timestamp(input.deletesAt)
  await inTransaction(db, async (transaction) => {
    await requireAnotherAdmin(transaction, viewer)
    if (await updateToDeleteAt(transaction, { userId, deletesAt })) return
    throw new AppError('conflict', 'Your account has changed. Please sign in again.')
  })
  log.info({ userId, address, deletesAt }, 'account to be deleted')
  live.announce([userId])
}

/** Removes accounts whose deletion is due. The account of the last admin stays until there is another admin. */
export async function removeDueAccounts(deps: Deps, now: Date = new Date()): Promise<void> {
  for (const { id: userId, isAdmin } of await listDueAccounts(deps.db, now)) {
    await removeAccount(deps, {
      userId,
      withComments: false,
      within: async (transaction) =>
        (await isDueAccount(transaction, { userId, now })) &&
        (isAdmin === 0 || (await countOtherAdmins(transaction, userId)) > 0),
    })
  }
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
    return leaveAllSquads(transaction, { userId: input.userId, keepsOwn: false })
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
