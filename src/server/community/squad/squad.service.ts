import { isUsername } from '#server/account/user/user.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import {
  beginWork,
  type LongWork,
  STEP_ROWS,
} from '#server/platform/long-work/long-work.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { BAN_REVERSIBLE_DAYS } from '#shared/admin-limits.ts'
import { SQUADS_JOINED_MAX, SQUADS_OWNED_MAX } from '#shared/limits.ts'
import type { CreateSquad, EditSquad, SetSquadRole, Squad } from '#shared/schemas/squad.schemas.ts'
import { requireLeads, requireOwns } from './squad.access.ts'
import {
  clearSomeOfSquad,
  countSquadsOf,
  deleteClearedSquads,
  findSquad,
  findTagOwner,
  insertSquad,
  isKeptSince,
  listSquadIdsOf,
  listSquadsKeptSince,
  listSquadsWithoutOwner,
  markSquadAsDeleted,
  updateMemberCount,
  updateSquad,
} from './squad.queries.ts'
import {
  countMembersOf,
  deleteAllCandidates,
  deleteSquadMember,
  findHeir,
  findRole,
  insertRemoval,
  listMemberIds,
  updateRole,
} from './squad-members.queries.ts'
import { notifyOfSquad } from './squad-notification.ts'

const DAY_MS = 86_400_000

type Services = { db: Database; live: LiveFeed }
type Act = { id: number; viewer: Viewer }
type MemberAct = Act & { userId: number }

export async function requireSquad(db: Database, input: Act): Promise<Squad> {
  const squad = await findSquad(db, input)
  if (!squad) throw new AppError('not-found', 'There is no such squad.')
  return squad
}

/** @throws `conflict` for a tag in use or the name of a member, or if the viewer is in or owns too many squads */
export async function createSquad(
  db: Database,
  input: CreateSquad & { viewer: Viewer },
): Promise<Squad> {
  const { viewer, ...squad } = input
  const id = await inTransaction(db, async (transaction) => {
    await requireFreeTag(transaction, squad.tag)
    const { owned } = await requireRoomFor(transaction, viewer.id)
    if (owned >= SQUADS_OWNED_MAX) {
      throw new AppError('conflict', `You can own at most ${SQUADS_OWNED_MAX} squads.`)
    }
    return insertSquad(transaction, { ...squad, ownerId: viewer.id })
  })
  return requireSquad(db, { id, viewer })
}

/** @throws `conflict` if the member is in the maximum number of squads */
export async function requireRoomFor(db: Database, userId: number) {
  const counts = await countSquadsOf(db, userId)
  if (counts.joined < SQUADS_JOINED_MAX) return counts
  throw new AppError('conflict', `A member is in at most ${SQUADS_JOINED_MAX} squads.`)
}

async function requireFreeTag(db: Database, tag: string, ownId?: number): Promise<void> {
  const ownerId = await findTagOwner(db, tag.toLowerCase())
  if (ownerId !== undefined && ownerId === ownId) return
  if (ownerId !== undefined) throw new AppError('conflict', 'Another squad has this tag.')
  if (await isUsername(db, tag)) {
    throw new AppError('conflict', 'A member has this name. Choose another tag.')
  }
}

/** @throws `conflict` for a tag in use or the name of a member */
export async function editSquad(
  db: Database,
  input: EditSquad & { viewer: Viewer },
): Promise<Squad> {
  const { id, viewer, was, ...wish } = input
  requireLeads(await requireSquad(db, input))
  const { tag } = wish
  const change = { ...wish, ...(tag !== undefined && { foldedTag: tag.toLowerCase() }) }
  await inTransaction(db, async (transaction) => {
    const now = await requireSquad(transaction, { id, viewer })
    requireLeads(now)
    requireUnchanged({ now, wish, was })
    if (tag !== undefined) await requireFreeTag(transaction, tag, id)
    if (Object.keys(change).length > 0) await updateSquad(transaction, { id, change })
  })
  return requireSquad(db, { id, viewer })
}

/** The videos of the squad are at once visible only to their owners and admins. */
export async function deleteSquad(db: Database, input: Act): Promise<void> {
  const { id, viewer } = input
  await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    const asAdmin = squad.myRole !== 'owner' && viewer.isAdmin
    if (!asAdmin) requireOwns(squad)
    await endSquad(transaction, id)
    if (!asAdmin) return
    const target = { kind: 'squad', id, name: squad.name } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'squad.delete', target })
  })
}

async function endSquad(db: DatabaseTransaction, id: number): Promise<void> {
  await markSquadAsDeleted(db, id)
  await beginWork(db, clearSquad, { targetId: id })
}

/** Removes a deleted squad, which has no members, from its videos and notifications. */
export const clearSquad: LongWork = {
  kind: 'clear-squad',
  async step(db, { targetId }) {
    const cleared = await clearSomeOfSquad(db, { squadId: targetId, most: STEP_ROWS })
    if (cleared > 0) return { reachedId: 0, notified: [] }
    await deleteClearedSquads(db)
    return { reachedId: null, notified: [] }
  },
}

export async function leaveSquad({ db, live }: Services, { id, viewer }: Act): Promise<void> {
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, { id, viewer })
    if (squad.myRole === null) throw new AppError('conflict', 'You are not in this squad.')
    return takeOut(transaction, { squadId: id, userId: viewer.id })
  })
  live.announce(notified)
}

/** @throws `forbidden` for an officer who removes another officer or the owner */
export async function removeSquadMember({ db, live }: Services, input: MemberAct): Promise<void> {
  const { id, userId, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    requireLeads(squad)
    const role = await requireRole(transaction, { squadId: id, userId })
    if (userId === viewer.id) throw new AppError('invalid', 'To remove yourself, leave the squad.')
    if (role !== 'member') requireOwns(squad)
    const members = await takeOut(transaction, { squadId: id, userId })
    await insertRemoval(transaction, { squadId: id, userId })
    await notifyOfSquad(transaction, {
      userIds: [userId],
      title: `You were removed from ${squad.name}`,
      message: 'Your videos stay with it until you change who can watch them.',
      sourceUserId: viewer.id,
      // A squad that only invites cannot be opened by people without an invitation.
      squadId: squad.joining === 'invite' ? null : id,
    })
    return members
  })
  live.announce(notified)
}

export async function setSquadRole(
  { db, live }: Services,
  input: SetSquadRole & { viewer: Viewer },
): Promise<void> {
  const { id, userId, role, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, { id, viewer })
    requireOwns(squad)
    const before = await requireRole(transaction, { squadId: id, userId })
    if (before === 'owner') throw new AppError('conflict', 'Hand the squad over instead.')
    await updateRole(transaction, { squadId: id, userId, role })
    if (role !== 'officer' || before === 'officer') return []
    return notifyOfSquad(transaction, {
      userIds: [userId],
      title: `You are an officer of ${squad.name}`,
      message: `${viewer.displayName} made you one.`,
      sourceUserId: viewer.id,
      squadId: id,
    })
  })
  live.announce(notified)
}

/**
 * Makes another member the owner and the viewer an officer.
 * @throws `conflict` if the other member owns too many squads
 */
export async function handSquadOver({ db, live }: Services, input: MemberAct): Promise<void> {
  const { id, userId, viewer } = input
  await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    requireOwns(squad)
    await requireRole(transaction, { squadId: id, userId })
    if (userId === viewer.id) throw new AppError('invalid', 'It is yours already.')
    if ((await countSquadsOf(transaction, userId)).owned >= SQUADS_OWNED_MAX) {
      throw new AppError('conflict', `A member can own at most ${SQUADS_OWNED_MAX} squads.`)
    }
    await updateRole(transaction, { squadId: id, userId: viewer.id, role: 'officer' })
    await updateRole(transaction, { squadId: id, userId, role: 'owner' })
    await notifyOfSquad(transaction, {
      userIds: [userId],
      title: `You own ${squad.name} now`,
      message: `${viewer.displayName} handed it over to you.`,
      sourceUserId: viewer.id,
      squadId: id,
    })
  })
  live.announce([userId])
}

async function requireRole(db: Database, membership: { squadId: number; userId: number }) {
  const role = await findRole(db, membership)
  if (role === undefined) throw new AppError('not-found', 'They are not in this squad.')
  return role
}

/**
 * Is called when a member is banned or leaves the site.
 * @param input.keepsOwn keeps squads without other members, as long as the ban may be lifted
 * @returns members to notify live
 */
export async function leaveAllSquads(
  db: DatabaseTransaction,
  { userId, keepsOwn }: { userId: number; keepsOwn: boolean },
): Promise<number[]> {
  const notified: number[] = []
  for (const squadId of await listSquadIdsOf(db, userId)) {
    if (keepsOwn && (await countMembersOf(db, squadId)) === 1) {
      await updateMemberCount(db, { squadId, memberCount: 0 })
      continue
    }
    notified.push(...(await takeOut(db, { squadId, userId })))
  }
  for (const table of ['squadRequests', 'squadInvites'] as const) {
    await deleteAllCandidates(db, { table, userId })
  }
  return notified
}

/** Reopens the squads that were kept for a banned member. */
export async function returnToSquads(db: DatabaseTransaction, userId: number): Promise<void> {
  for (const squadId of await listSquadIdsOf(db, userId)) {
    await updateMemberCount(db, { squadId, memberCount: 1 })
  }
}

export async function takeOut(
  db: DatabaseTransaction,
  membership: { squadId: number; userId: number },
): Promise<number[]> {
  const { squadId } = membership
  const members = await listMemberIds(db, squadId)
  await deleteSquadMember(db, membership)
  return [...(await appointOwner(db, squadId)), ...members]
}

/**
 * Deletes the squad if it has no members left.
 * @returns members to notify live
 */
async function appointOwner(db: DatabaseTransaction, squadId: number): Promise<number[]> {
  const heir = await findHeir(db, squadId)
  if (!heir) await endSquad(db, squadId)
  if (!heir || heir.role === 'owner') return []
  const { userId, squadName } = heir
  await updateRole(db, { squadId, userId, role: 'owner' })
  return notifyOfSquad(db, {
    userIds: [userId],
    title: `You own ${squadName} now`,
    message: 'The owner before left the squad.',
    sourceUserId: null,
    squadId,
  })
}

/**
 * Appoints an owner in squads without one. Deletes squads whose only member was banned over 30 days ago, and rows of
 * squads that nothing refers to.
 */
export async function tidySquads(db: Database, now: Date = new Date()): Promise<void> {
  await deleteClearedSquads(db)
  const since = new Date(now.getTime() - BAN_REVERSIBLE_DAYS * DAY_MS)
  for (const { squadId, userId } of await listSquadsKeptSince(db, since)) {
    await inTransaction(db, async (transaction) => {
      // The ban may have been lifted in the meantime.
      if (!(await isKeptSince(transaction, { squadId, since }))) return
      await takeOut(transaction, { squadId, userId })
    })
  }
  for (const id of await listSquadsWithoutOwner(db)) {
    await inTransaction(db, (transaction) => appointOwner(transaction, id))
  }
}
