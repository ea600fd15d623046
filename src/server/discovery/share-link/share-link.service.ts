import { hashPassword } from '#server/account/auth/password.ts'
import { requirePlaylist } from '#server/community/playlist/playlist.service.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { SHARE_LINKS_MAX } from '#shared/limits.ts'
import type { CreateShareLink, ShareLink, ShareTarget } from '#shared/schemas/share-link.schemas.ts'
import {
  countLiveLinks,
  deleteOldDeadLinks,
  findShareLink,
  insertShareLink,
  listShareLinks,
  revokeLinksTo,
  revokeShareLink,
  type Target,
} from './share-link.queries.ts'
import { hashShareToken, makeShareToken } from './share-token.ts'

/**
 * The answer has the only copy of the token, stored as a digest.
 * @throws `invalid` for a past time, `conflict` at 100 working links
 */
export async function createShareLink(
  db: Database,
  input: CreateShareLink & { viewer: Viewer; origin: string },
): Promise<ShareLink & { url: string }> {
  const { viewer, note, password, maxViews = null, origin } = input
  const { target, ownerId, noun } = await findTarget(db, input)
  if (ownerId !== viewer.id) {
    throw new AppError('forbidden', `Only its owner can share this ${noun} with a link.`)
  }
  const expiresAt = input.expiresAt ? timestamp(new Date(input.expiresAt)) : null
  if (expiresAt !== null && expiresAt <= timestamp()) {
    throw new AppError('invalid', 'The time at which the link ends must lie in the future.')
  }
  const passwordHash = password ? await hashPassword(password) : null
  const token = makeShareToken()
  const created = await inTransaction(db, async (transaction) => {
    if ((await countLiveLinks(transaction, target)) >= SHARE_LINKS_MAX) {
      throw new AppError(
        'conflict',
        `This ${noun} has ${SHARE_LINKS_MAX} links that work. Revoke one of them first.`,
      )
    }
    await deleteOldDeadLinks(transaction, target)
    return insertShareLink(transaction, {
      ...target,
      note,
      passwordHash,
      expiresAt,
      maxViews,
      tokenHash: hashShareToken(token),
      createdBy: viewer.id,
    })
  })
  return { ...created, url: `${origin}/s/${token}` }
}

/**
 * Creates a link with a password hash of another program that `verifyLinkPassword` can check.
 * @param input.token the only copy, which the caller shows
 */
export async function importShareLink(
  db: DatabaseTransaction,
  input: { videoId: number; createdBy: number; token: string; passwordHash: string; note: string },
): Promise<void> {
  const { token, ...link } = input
  const tokenHash = hashShareToken(token)
  await insertShareLink(db, {
    ...link,
    playlistId: null,
    expiresAt: null,
    maxViews: null,
    tokenHash,
  })
}

/** @throws `forbidden` for others than the owner and admins */
export async function readShareLinks(
  db: Database,
  input: ShareTarget & { viewer: Viewer },
): Promise<ShareLink[]> {
  return listShareLinks(db, await requireManagedTarget(db, input))
}

/**
 * Stops running downloads. Idempotent.
 * @throws `not-found`, also for another member's link unless by an admin
 */
export async function endShareLink(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const link = await findShareLink(db, id)
  if (!link || (link.createdBy !== viewer.id && !viewer.isAdmin)) {
    throw new AppError('not-found', 'There is no such link.')
  }
  await revokeShareLink(db, id)
}

/** @throws as `readShareLinks` */
export async function endShareLinks(
  db: Database,
  input: ShareTarget & { viewer: Viewer },
): Promise<void> {
  await revokeLinksTo(db, await requireManagedTarget(db, input))
}

async function requireManagedTarget(
  db: Database,
  input: ShareTarget & { viewer: Viewer },
): Promise<Target> {
  const { target, ownerId, noun } = await findTarget(db, input)
  if (ownerId !== input.viewer.id && !input.viewer.isAdmin) {
    throw new AppError('forbidden', `Only its owner can see the links to this ${noun}.`)
  }
  return target
}

async function findTarget(db: Database, input: ShareTarget & { viewer: Viewer }) {
  const { videoId = null, playlistId = null, viewer } = input
  const target: Target = { videoId, playlistId }
  if (videoId !== null) {
    const { userId: ownerId } = await requireVideoOwner(db, { id: videoId, viewer })
    return { target, ownerId, noun: 'video' }
  }
  const { userId: ownerId, kind } = await requirePlaylist(db, { id: playlistId ?? 0, viewer })
  if (kind !== 'list') throw new AppError('invalid', "'Watch later' cannot be shared.")
  return { target, ownerId, noun: 'playlist' }
}
