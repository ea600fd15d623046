import { requireOtherMembers } from '#server/account/user/user.service.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { RateLimits } from '#server/platform/request/rate-limits.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { SQUAD_INVITES_MAX, SQUAD_MEMBERS_MAX, SQUAD_REQUESTS_MAX } from '#shared/limits.ts'
import type { Squad, SquadCandidate } from '#shared/schemas/squad.schemas.ts'
import { deleteSquadNotifications } from '../notification/notification.queries.ts'
import { requireLeads } from './squad.access.ts'
import { requireRoomFor, requireSquad } from './squad.service.ts'
import {
  countCandidates,
  deleteCandidate,
  deleteRemoval,
  findRole,
  insertCandidates,
  insertSquadMember,
  listAskingAmong,
  listCandidates,
  listLeaders,
  listMemberIds,
  listMembersAmong,
} from './squad-members.queries.ts'
import { notifyOfSquad } from './squad-notification.ts'

type Services = { db: Database; live: LiveFeed }
type LimitedServices = Services & { limits: Pick<RateLimits, 'squadNotices'> }
type Act = { id: number; viewer: Viewer }
type MemberAct = Act & { userId: number }

/**
 * Makes the viewer a member if the squad is open or invited them, and otherwise stores a request.
 * @throws `forbidden` without an invitation that the squad requires, or that the viewer needs after being removed; `conflict`
 * when it is full or its only member is banned, has too many requests, or the viewer is in too many squads
 */
export async function joinSquad({ db, live, limits }: LimitedServices, input: Act): Promise<Squad> {
  const { id, viewer } = input
  const { myRole, hasAsked, joining } = await requireSquad(db, input)
  const asksNow = myRole === null && !hasAsked && joining === 'request'
  const tells = asksNow && (await limits.squadNotices.isWithin(`request ${id} ${viewer.id}`))
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    if (squad.myRole !== null) return []
    if (squad.memberCount === 0) {
      throw new AppError('conflict', 'Nobody is in this squad at the moment.')
    }
    if (squad.joining === 'open' && squad.wasRemoved && !squad.isInvited) {
      const sentence = 'You were removed from this squad. Its owner or an officer can invite you.'
      throw new AppError('forbidden', sentence)
    }
    if (squad.isInvited || squad.joining === 'open') {
      return takeIn(transaction, { squad, userId: viewer.id })
    }
    if (squad.joining === 'invite') {
      throw new AppError('forbidden', 'Only invited members can join this squad.')
    }
    return ask(transaction, { squad, viewer, tells })
  })
  live.announce(notified)
  return requireSquad(db, input)
}

async function ask(
  db: DatabaseTransaction,
  { squad, viewer, tells }: { squad: Squad; viewer: Viewer; tells: boolean },
): Promise<number[]> {
  const table = 'squadRequests'
  const { id: squadId } = squad
  await requireRoomFor(db, viewer.id)
  const counts = [
    await countCandidates(db, { table, squadId }),
    await countCandidates(db, { table, userId: viewer.id }),
  ]
  if (counts.some((count) => count >= SQUAD_REQUESTS_MAX)) {
    throw new AppError('conflict', 'There are too many open requests. Try again later.')
  }
  const added = await insertCandidates(db, { table, squadId, userIds: [viewer.id] })
  if (added.length === 0) return []
  const leaders = await listLeaders(db, squadId)
  await notifyOfSquad(db, {
    userIds: tells ? leaders : [],
    type: 'new_subscriber',
    title: `${viewer.displayName} asks to join ${squad.name}`,
    message: 'Accept or decline on the page of the squad.',
    sourceUserId: viewer.id,
    squadId,
  })
  return leaders
}

/** Ends the request and the invitation. @returns members to notify live, whose pages show the squad */
export async function takeIn(
  db: DatabaseTransaction,
  { squad, userId }: { squad: Pick<Squad, 'id' | 'memberCount'>; userId: number },
): Promise<number[]> {
  const { id: squadId } = squad
  await requireRoomFor(db, userId)
  if (squad.memberCount >= SQUAD_MEMBERS_MAX) {
    throw new AppError('conflict', `A squad has at most ${SQUAD_MEMBERS_MAX} members.`)
  }
  await insertSquadMember(db, { squadId, userId })
  await deleteRemoval(db, { squadId, userId })
  return [...(await endCandidacy(db, { squadId, userId })), ...(await listMemberIds(db, squadId))]
}

/** @returns members to notify live */
async function endCandidacy(
  db: DatabaseTransaction,
  membership: { squadId: number; userId: number },
): Promise<number[]> {
  for (const table of ['squadRequests', 'squadInvites'] as const) {
    await deleteCandidate(db, { table, ...membership })
  }
  return [
    ...(await deleteSquadNotifications(db, { of: 'request', ...membership })),
    ...(await deleteSquadNotifications(db, { of: 'invitation', ...membership })),
  ]
}

/** Takes in a member who has asked. @returns members to notify live */
async function accept(
  db: DatabaseTransaction,
  { squad, userId, viewer }: { squad: Squad; userId: number; viewer: Viewer },
): Promise<number[]> {
  const told = await takeIn(db, { squad, userId })
  const answered = await notifyOfSquad(db, {
    userIds: [userId],
    title: `You are in ${squad.name}`,
    message: `${viewer.displayName} accepted your request.`,
    sourceUserId: viewer.id,
    squadId: squad.id,
  })
  return [...told, ...answered]
}

/** Withdraws the viewer's own request, or declines the squad's invitation. */
export async function withdrawFromSquad({ db, live }: Services, input: Act): Promise<void> {
  const notified = await inTransaction(db, async (transaction) => {
    const { id: squadId, myRole } = await requireSquad(transaction, input)
    if (myRole !== null) return []
    return endCandidacy(transaction, { squadId, userId: input.viewer.id })
  })
  live.announce(notified)
}

/** Returns requests, newest first. */
export async function readRequests(db: Database, input: Act): Promise<SquadCandidate[]> {
  requireLeads(await requireSquad(db, input))
  return listCandidates(db, { table: 'squadRequests', squadId: input.id })
}

/** Returns invitations, newest first. */
export async function readInvites(db: Database, input: Act): Promise<SquadCandidate[]> {
  requireLeads(await requireSquad(db, input))
  return listCandidates(db, { table: 'squadInvites', squadId: input.id })
}

/**
 * @throws `not-found` if there is no such request, `conflict` when the squad is full or the member
 * is in too many squads
 */
export async function answerRequest(
  { db, live }: Services,
  input: MemberAct & { accepts: boolean },
): Promise<void> {
  const { id: squadId, userId, viewer, accepts } = input
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    requireLeads(squad)
    if (!(await deleteCandidate(transaction, { table: 'squadRequests', squadId, userId }))) {
      throw new AppError('not-found', 'There is no such request any more.')
    }
    if (accepts) return accept(transaction, { squad, userId, viewer })
    const told = await deleteSquadNotifications(transaction, { of: 'request', squadId, userId })
    return [...told, userId]
  })
  live.announce(notified)
}

/**
 * Leaves out members of the squad, and takes in at once those who have asked.
 * @throws `invalid` for unknown names, `conflict` with too many open invitations, or as
 * `answerRequest` for those who have asked
 */
export async function inviteToSquad(
  { db, live, limits }: LimitedServices,
  input: Act & { usernames: string[] },
): Promise<void> {
  const { id: squadId, usernames, viewer } = input
  const table = 'squadInvites'
  requireLeads(await requireSquad(db, input))
  const named = await requireOtherMembers(db, { usernames, viewer })
  const toTell: number[] = []
  for (const userId of named) {
    if (await limits.squadNotices.isWithin(`invitation ${squadId} ${userId}`)) toTell.push(userId)
  }
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    requireLeads(squad)
    const members = await listMembersAmong(transaction, { squadId, userIds: named })
    const asking = await listAskingAmong(transaction, { squadId, userIds: named })
    const told: number[] = []
    for (const [index, userId] of asking.entries()) {
      const memberCount = squad.memberCount + index
      told.push(
        ...(await accept(transaction, { squad: { ...squad, memberCount }, userId, viewer })),
      )
    }
    const userIds = named.filter((userId) => ![...members, ...asking].includes(userId))
    const open = await countCandidates(transaction, { table, squadId })
    if (open + userIds.length > SQUAD_INVITES_MAX) {
      throw new AppError('conflict', `A squad has at most ${SQUAD_INVITES_MAX} open invitations.`)
    }
    const added = await insertCandidates(transaction, { table, squadId, userIds })
    const invited = await notifyOfSquad(transaction, {
      userIds: added.filter((userId) => toTell.includes(userId)),
      title: `${viewer.displayName} invites you to ${squad.name}`,
      message: 'Join it on the page of the squad.',
      sourceUserId: viewer.id,
      squadId,
    })
    return [...told, ...invited]
  })
  live.announce(notified)
}

export async function withdrawInvite({ db, live }: Services, input: MemberAct): Promise<void> {
  const { id: squadId, userId } = input
  await inTransaction(db, async (transaction) => {
    requireLeads(await requireSquad(transaction, input))
    await deleteCandidate(transaction, { table: 'squadInvites', squadId, userId })
    if (await findRole(transaction, { squadId, userId })) return
    await deleteSquadNotifications(transaction, { of: 'invitation', squadId, userId })
  })
  live.announce([userId])
}
