import {
  type Database,
  type DatabaseTransaction,
  writeQuietly,
} from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { RemoveFromRoom, SetRoomRole } from '#shared/schemas/watch-room.schemas.ts'
import { type Act, type Deps, requireHosted, requireRoom } from './watch-room.service.ts'
import {
  findMembership,
  hasHost,
  listPeople,
  updateHost,
  updateLeft,
  updateRemoved,
  updateRole,
} from './watch-room-members.queries.ts'

const NOT_IN_ROOM = 'This member is not in the room.'

/**
 * The host makes another member the host, or says whether they may steer.
 * @throws `not-found` for somebody who is not in the room
 */
export async function setRoomRole(
  { db, live }: Deps,
  input: SetRoomRole & { viewer: Viewer },
): Promise<void> {
  const { userId, role, viewer } = input
  const roomId = await writeQuietly(db, async (transaction) => {
    const room = await requireHosted(transaction, input)
    if (userId === viewer.id) {
      throw new AppError('invalid', 'You are the host. Make somebody else the host instead.')
    }
    const people = await listPeople(transaction, room.id)
    if (!people.some(({ id }) => id === userId)) {
      throw new AppError('not-found', NOT_IN_ROOM)
    }
    if (role === 'host') await updateHost(transaction, { roomId: room.id, userId })
    else await updateRole(transaction, { roomId: room.id, userId, role })
    return room.id
  })
  live.rooms.announce(roomId, 'people')
}

/**
 * Removes a member from the room, or lets them in again.
 * @throws `not-found` for somebody who has not been in the room
 */
export async function removePerson(
  { db, live }: Deps,
  input: RemoveFromRoom & { viewer: Viewer },
): Promise<void> {
  const { userId, isRemoved, viewer } = input
  const roomId = await writeQuietly(db, async (transaction) => {
    const room = await requireHosted(transaction, input)
    if (userId === viewer.id) {
      throw new AppError('invalid', 'You are the host. Leave the room, or end it.')
    }
    const person = await findMembership(transaction, { roomId: room.id, userId })
    if (!person) throw new AppError('not-found', NOT_IN_ROOM)
    if (person.isAdmin) throw new AppError('forbidden', 'An admin cannot be removed.')
    await updateRemoved(transaction, { roomId: room.id, userId, isRemoved })
    return room.id
  })
  live.rooms.announce(roomId, 'people', 'room')
}

/** A host who leaves makes another member the host. */
export async function leaveRoom({ db, live }: Deps, act: Act): Promise<void> {
  const { viewer } = act
  const roomId = await writeQuietly(db, async (transaction) => {
    const { room, role } = await requireRoom(transaction, act)
    await updateLeft(transaction, { roomId: room.id, userId: viewer.id })
    if (role === 'host') await passOnHost(transaction, room.id)
    return room.id
  })
  live.rooms.announce(roomId, 'people')
}

/** @returns whether there is a new host */
async function passOnHost(db: DatabaseTransaction, roomId: number): Promise<boolean> {
  const [heir] = (await listPeople(db, roomId)).filter(({ role }) => role !== 'host')
  if (!heir) return false
  await updateHost(db, { roomId, userId: heir.id })
  return true
}

/**
 * Makes another member the host once the host has been away for a minute or is banned.
 * @returns whether there is a new host
 */
export async function replaceHost(db: Database, roomId: number): Promise<boolean> {
  if (await hasHost(db, roomId)) return false
  return writeQuietly(db, async (transaction) => {
    if (await hasHost(transaction, roomId)) return false
    return passOnHost(transaction, roomId)
  })
}
