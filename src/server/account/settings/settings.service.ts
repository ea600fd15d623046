import { withLock } from '#server/platform/cluster/locks.ts'
import { requireConfirmed } from '#server/platform/confirmation.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import { toFlag } from '#server/platform/db/tables/column.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import {
  type PictureDeps,
  removePictureAt,
  storePicture,
} from '#server/platform/picture/stored-picture.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import type { ChangePassword, EditProfile } from '#shared/schemas/settings.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { deleteSessions } from '../auth/auth.queries.ts'
import { startSession } from '../auth/lucia.ts'
import { hashPassword } from '../auth/password.ts'
import { checkPassword } from '../auth/password-check.ts'
import { requireHttps } from '../auth/required-https.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { mayTellOfAddress, noteNewAddress } from '../email/email.service.ts'
import { passwordChangedLetter } from '../email/email-letters.ts'
import { deletePasswordResets } from '../member/member.queries.ts'
import { requireGoodPassword } from '../new-password/new-password.service.ts'
import { findHolder } from '../room/room.queries.ts'
import { requireRoom } from '../room/room.service.ts'
import { findOwnUser, updateUser } from '../user/user.queries.ts'
import {
  findPasswordHash,
  findPictures,
  findSessionOrigin,
  listSessions,
} from './settings.queries.ts'

export type PasswordGuard = Pick<
  Context,
  'db' | 'limits' | 'address' | 'log' | 'config' | 'arrival'
>

const SESSION_PREFIX = 16

/** Pixels; an avatar is shown at 104 at most, and three times that on dense screens. */
const PICTURES = {
  avatar: { column: 'avatarUrl', bytes: 'avatarBytes', box: { width: 320, height: 320 } },
  banner: { column: 'bannerUrl', bytes: 'bannerBytes', box: { width: 2048, height: 1152 } },
} as const
export type PictureKind = keyof typeof PICTURES
type PictureOf = { kind: PictureKind; viewer: Pick<Viewer, 'id'> }

/**
 * Omitted fields stay. A channel with many videos is reindexed for some seconds.
 * @throws `unconfirmed` for another email, `conflict` for a used one, `too-many` after 20 email conflicts
 * in an hour
 */
export async function editProfile(
  deps: Pick<Context, 'db' | 'closing' | 'log' | 'limits' | 'address' | 'mail'>,
  input: EditProfile & { viewer: Viewer; session: ActiveSession },
): Promise<OwnUser> {
  const { db, log, address, mail } = deps
  const { session, viewer, displayName, bio, email, showEmail, defaultVisibility, was } = input
  const { showsPresence } = input
  const { id } = viewer
  const before = await requireOwnUser(db, id)
  const hasNewEmail = email !== undefined && email !== before.email
  if (hasNewEmail) requireConfirmed(session)
  const change = {
    ...(displayName !== undefined && { displayName }),
    ...(bio !== undefined && { bio: bio || null }),
    ...(email !== undefined && { email }),
    ...(defaultVisibility !== undefined && { defaultVisibility }),
    ...(showEmail !== undefined && { showEmail: toFlag(showEmail) }),
    ...(showsPresence !== undefined && {
      showsPresence: toFlag(showsPresence),
    }),
  }
  const tells = hasNewEmail ? await mayTellOfAddress(deps, id) : { old: false, new: false }
  const update = () =>
    inTransaction(db, async (transaction) => {
      const now = await requireOwnUser(transaction, id)
      requireUnchanged({ now, wish: { ...change, showEmail, showsPresence }, was })
      await updateUser(transaction, { id, change })
      if (email === undefined || email === now.email) return
      const addresses = { before: now.email, address: email }
      await noteNewAddress(transaction, { userId: id, ...addresses, mail, tells })
    })
  await (email === undefined ? update() : limitEmailConflicts(deps, { viewer, update }))
  if (hasNewEmail) {
    log.info({ userId: id, address }, 'email changed')
    mail?.wake()
  }
  return requireOwnUser(db, id)
}

/** Unlimited attempts would reveal who has an account. */
async function limitEmailConflicts(
  { limits }: Pick<Context, 'limits'>,
  { viewer, update }: { viewer: Viewer; update: () => Promise<void> },
): Promise<void> {
  const end = await limits.emailConflicts.begin(`member-${viewer.id}`)
  let isTaken = false
  try {
    await update()
  } catch (error) {
    isTaken = isUniqueViolation(error)
    if (!isTaken) throw error
    throw new AppError('conflict', 'This email is already in use.')
  } finally {
    await end({ counts: isTaken })
  }
}

async function requireOwnUser(db: Database, id: number): Promise<OwnUser> {
  const user = await findOwnUser(db, id)
  if (!user) throw new AppError('unauthenticated', 'Please sign in first.')
  return user
}

/**
 * Ends all sessions and reset links, as one may be stolen, and starts a session.
 * @returns its token
 * @throws `forbidden` for a wrong password, `invalid` for a new one that is easily guessed, `too-many`
 */
export async function changePassword(
  guard: PasswordGuard & Pick<Context, 'sessions' | 'userAgent' | 'live' | 'mail'>,
  input: ChangePassword & { viewer: Viewer; session: ActiveSession },
): Promise<string> {
  await requirePassword(guard, { viewer: input.viewer, password: input.currentPassword })
  return renewPassword(guard, input)
}

/**
 * Sets the first password of a member who signs in with a provider only.
 * @returns the token of the new session
 * @throws `conflict` for a member who has a password
 */
export async function setPassword(
  guard: PasswordGuard & Pick<Context, 'sessions' | 'userAgent' | 'live' | 'mail'>,
  input: { newPassword: string; viewer: Viewer; session: ActiveSession },
): Promise<string> {
  await requireHttps(guard)
  if (await findPasswordHash(guard.db, input.viewer.id)) {
    throw new AppError('conflict', 'You have a password already.')
  }
  return renewPassword(guard, input)
}

async function renewPassword(
  guard: PasswordGuard & Pick<Context, 'sessions' | 'userAgent' | 'live' | 'mail'>,
  input: { newPassword: string; viewer: Viewer; session: ActiveSession },
): Promise<string> {
  const { viewer, session, newPassword } = input
  const { id } = viewer
  await requireHttps(guard)
  const account = await requireOwnUser(guard.db, id)
  await requireGoodPassword(guard.db, { password: newPassword, account })
  const password = await hashPassword(newPassword)
  const { providerId, providerSession } = (await findSessionOrigin(guard.db, session.id)) ?? {}
  await inTransaction(guard.db, async (transaction) => {
    await updateUser(transaction, { id, change: { password } })
    await deleteSessions(transaction, { userId: id })
    await deletePasswordResets(transaction, id)
    await guard.mail?.post(transaction, passwordChangedLetter, { userId: id, data: {} })
    await deleteStepsOf(transaction, id)
  })
  guard.mail?.wake()
  guard.live.announce([id])
  guard.log.info({ userId: id, address: guard.address }, 'password changed')
  const { rememberMe } = session
  const { userAgent, address } = guard
  return startSession(guard.sessions, {
    ...{ userId: id, rememberMe, userAgent, address },
    // Keeps the provider, so that a logout there also ends the new session.
    ...(providerId && { provider: { id: providerId, session: providerSession ?? null } }),
  })
}

/** Failures count as at login: a stolen session must not guess it. */
export async function requirePassword(
  guard: PasswordGuard,
  input: { viewer: Viewer; password: string },
) {
  const { viewer, password } = input
  await requireHttps(guard)
  const hash = await findPasswordHash(guard.db, viewer.id)
  if (!(await checkPassword(guard, { username: viewer.username, password, hash }))) {
    guard.log.warn({ userId: viewer.id, address: guard.address }, 'wrong password in a session')
    throw new AppError('forbidden', 'The current password is not right.')
  }
}

/** Returns the current session first, then the others by their last use. */
export async function readSessions(
  db: Database,
  input: { viewer: Viewer; session: ActiveSession },
) {
  const rows = await listSessions(db, input.viewer.id)
  const sessions = rows.map(({ id, expiresAt, ...row }) => ({
    ...row,
    id: id.slice(0, SESSION_PREFIX),
    expiresAt: new Date(expiresAt * 1000).toISOString(),
    isCurrent: id === input.session.id,
  }))
  const usedAt = (row: (typeof sessions)[number]) => Date.parse(row.lastUsedAt ?? row.createdAt)
  return sessions.sort(
    (one, other) => Number(other.isCurrent) - Number(one.isCurrent) || usedAt(other) - usedAt(one),
  )
}

/** @throws `not-found`, also for another member's */
export async function revokeSession(
  { db, log, address }: Pick<Context, 'db' | 'log' | 'address'>,
  input: { id: string; viewer: Viewer },
): Promise<void> {
  const userId = input.viewer.id
  const ended = await deleteSessions(db, { userId, prefix: input.id })
  if (ended === 0) throw new AppError('not-found', 'There is no such session.')
  log.info({ userId, address, ended, cause: 'asked' }, 'sessions ended')
}

export async function revokeOtherSessions(
  { db, live, log, address }: Pick<Context, 'db' | 'live' | 'log' | 'address'>,
  input: { viewer: Viewer; session: ActiveSession },
): Promise<void> {
  const userId = input.viewer.id
  const ended = await deleteSessions(db, { userId, except: input.session.id })
  log.info({ userId, address, ended, cause: 'asked' }, 'sessions ended')
  live.announce([userId])
}

/**
 * @returns its address
 * @throws `unsupported`, `unprocessable` when undecodable, `too-large` over quota, `no-space`
 */
export async function changePicture(
  deps: PictureDeps,
  input: PictureOf & { bytes: Buffer },
): Promise<string> {
  const { kind, bytes, viewer } = input
  const { box } = PICTURES[kind]
  const format = { name: kind, subject: `The ${kind}`, extension: 'jpg', box } as const
  const url = await storePicture(deps, { bytes, viewer, ...format }, (drawn) =>
    withPictureLock(deps, input, async () => {
      const counted = await countPicture(deps, { kind, viewer, bytes: drawn.bytes })
      try {
        await drawn.put()
      } catch (error) {
        await counted.undo()
        throw error
      }
      failpoint('picture.moved')
      await replacePicture(deps, { kind, viewer, url: drawn.url, bytes: drawn.bytes })
    }),
  )
  failpoint('picture.recorded')
  return url
}

export async function removePicture(
  deps: Pick<PictureDeps, 'config' | 'db' | 'media'>,
  input: PictureOf,
): Promise<void> {
  await withPictureLock(deps, input, () => replacePicture(deps, { ...input, url: null, bytes: 0 }))
}

function withPictureLock(
  { db }: Pick<PictureDeps, 'db'>,
  { kind, viewer }: PictureOf,
  work: () => Promise<void>,
): Promise<void> {
  return withLock(db, `picture:${kind}:${viewer.id}`, work)
}

/**
 * Counts both pictures during the change.
 * @throws `too-large`, `no-space`
 */
async function countPicture(
  { config, db, disk }: PictureDeps,
  { kind, viewer, bytes }: PictureOf & { bytes: number },
) {
  const { id } = viewer
  const column = PICTURES[kind].bytes
  const freeBytes = await disk.freeBytes()
  const before = await inTransaction(db, async (transaction) => {
    const stored = (await findHolder(transaction, id))?.[column] ?? 0
    await requireRoom(transaction, { config, userId: id, bytes, freeBytes })
    await updateUser(transaction, { id, change: { [column]: stored + bytes } })
    return stored
  })
  return { undo: () => updateUser(db, { id, change: { [column]: before } }) }
}

/** If deletion fails, the janitor retries; the old one counts until then. */
async function replacePicture(
  deps: Pick<PictureDeps, 'config' | 'db' | 'media'>,
  input: PictureOf & { url: string | null; bytes: number },
): Promise<void> {
  const { kind, viewer, url, bytes } = input
  const { column, bytes: bytesColumn } = PICTURES[kind]
  const before = (await findPictures(deps.db, viewer.id))?.[column]
  await updateUser(deps.db, { id: viewer.id, change: { [column]: url } })
  const isGone = await removePictureAt(deps, before)
  if (isGone) await updateUser(deps.db, { id: viewer.id, change: { [bytesColumn]: bytes } })
}
