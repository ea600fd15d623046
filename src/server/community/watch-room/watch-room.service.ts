import { randomBytes } from 'node:crypto'
import {
  type Database,
  type DatabaseTransaction,
  writeQuietly,
} from '#server/platform/db/database.ts'
import type { WatchRoomRow } from '#server/platform/db/tables/watch-room.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireClipOwner } from '#server/video/clip/clip.service.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type {
  AddRoomItem,
  ControlRoom,
  CreateRoom,
  EditRoom,
  SetRoomRole,
  WatchRoom,
} from '#shared/schemas/watch-room.schemas.ts'
import {
  positionAt,
  ROOM_ITEMS_MAX,
  type RoomPlayback,
  type RoomRole,
} from '#shared/watch-rooms.ts'
import { listVisibleVideoIds } from '../playlist/playlist.queries.ts'
import { requirePlaylist } from '../playlist/playlist.service.ts'
import { mayEnter, requireHost, requireSteers } from './watch-room.access.ts'
import {
  deleteItem,
  deleteRoom,
  deleteRoomsNotSeen,
  findRoom,
  findRoomPlayback,
  findServerTime,
  insertItem,
  insertRoom,
  listItems,
  listShownItems,
  toPlayback,
  updateAllowsGuests,
  updatePlayback,
} from './watch-room.queries.ts'
import {
  findRoomRole,
  hasHost,
  listPeople,
  updateHost,
  updateLeft,
  updateRole,
  upsertPresent,
} from './watch-room-members.queries.ts'

const NO_SUCH_ROOM = 'This room is over, or its address is not complete.'
const GUESTS_REFUSED = 'The host lets only members into this room. Please sign in.'
const NO_SUCH_ITEM = 'This is no longer in the queue.'
/** A command counts from when it was given, if that was this short a time ago. */
const LATEST_MS = 2000
/** Players stop a little before or after the end. */
const END_SLACK_SECONDS = 1.5
/** A room is deleted when nobody has been in it for this long. */
const KEPT_MS = 3 * 60 * 60 * 1000

type Deps = Pick<AppDeps, 'db' | 'live'>
type Act = { token: string; viewer: Viewer }
type Item = { videoId: number; clipId: number | null }

/**
 * @throws `not-found` for an unknown room, `unauthenticated` for visitors unless the host allows
 * guests
 */
export async function requireRoom(
  db: Database,
  { token, viewer }: { token: string; viewer: Viewer | undefined },
): Promise<WatchRoomRow> {
  const room = await findRoom(db, token)
  if (!room) throw new AppError('not-found', NO_SUCH_ROOM)
  if (!mayEnter(room, viewer)) throw new AppError('unauthenticated', GUESTS_REFUSED)
  return room
}

async function requireMembership(
  db: Database,
  { token, viewer }: Act,
): Promise<{ room: WatchRoomRow; role: RoomRole | undefined }> {
  const room = await requireRoom(db, { token, viewer })
  return { room, role: await findRoomRole(db, { roomId: room.id, userId: viewer.id }) }
}

export async function requireSteered(db: Database, act: Act): Promise<WatchRoomRow> {
  const { room, role } = await requireMembership(db, act)
  requireSteers(role)
  return room
}

async function requireHosted(db: Database, act: Act): Promise<WatchRoomRow> {
  const { room, role } = await requireMembership(db, act)
  requireHost(role)
  return room
}

/** The videos of a playlist become the queue, at most 50. */
export async function createRoom(
  { db, limits }: Pick<AppDeps, 'db' | 'limits'>,
  input: CreateRoom & { viewer: Viewer },
): Promise<{ token: string }> {
  const { viewer, position } = input
  const items = await findItems(db, input)
  await limits.rooms.count(String(viewer.id))
  const token = randomBytes(16).toString('base64url')
  await writeQuietly(db, async (transaction) => {
    const at = await findServerTime(transaction)
    const roomId = await insertRoom(transaction, { token, position, at })
    let first: number | undefined
    for (const [place, item] of items.entries()) {
      const id = await insertItem(transaction, { ...item, roomId, place, addedBy: viewer.id })
      first ??= id
    }
    const playback = { itemId: first ?? null, position, rate: 1, isPaused: true, at }
    await updatePlayback(transaction, { roomId, ...playback })
    await upsertPresent(transaction, { roomId, userId: viewer.id, role: 'host' })
  })
  return { token }
}

/** @throws `not-found` for what the member may not watch, `invalid` for an empty playlist */
async function findItems(db: Database, input: CreateRoom & { viewer: Viewer }): Promise<Item[]> {
  const { playlistId, viewer } = input
  if (playlistId === undefined) return [await findItem(db, input)]
  const playlist = await requirePlaylist(db, { id: playlistId, viewer })
  const ids = await listVisibleVideoIds(db, { playlistId: playlist.id, viewer })
  if (ids.length === 0) throw new AppError('invalid', 'There is no video in this playlist.')
  return ids.slice(0, ROOM_ITEMS_MAX).map((videoId) => ({ videoId, clipId: null }))
}

async function findItem(
  db: Database,
  input: { videoId?: number | undefined; clipId?: number | undefined; viewer: Viewer },
): Promise<Item> {
  const { videoId, clipId, viewer } = input
  if (clipId !== undefined) {
    const clip = await requireClipOwner(db, { id: clipId, viewer })
    return { videoId: clip.videoId, clipId }
  }
  const video = await requireVideoOwner(db, { id: videoId ?? 0, viewer })
  return { videoId: video.id, clipId: null }
}

export async function readRoom(
  db: Database,
  { token, viewer }: { token: string; viewer: Viewer | undefined },
): Promise<WatchRoom> {
  const room = await requireRoom(db, { token, viewer })
  const role = viewer && (await findRoomRole(db, { roomId: room.id, userId: viewer.id }))
  return {
    token,
    allowsGuests: room.allowsGuests === 1,
    createdAt: room.createdAt,
    myRole: viewer ? (role ?? 'watches') : null,
    playback: toPlayback(room),
    items: await listShownItems(db, { roomId: room.id, viewer }),
  }
}

/**
 * Plays, pauses, seeks or changes the speed.
 * @throws `conflict` when something else plays meanwhile
 */
export async function controlRoom(
  { db, live }: Deps,
  input: ControlRoom & { viewer: Viewer },
): Promise<RoomPlayback> {
  const { itemId, rate, isPaused } = input
  return change({ db, live }, input, async (room, transaction) => {
    const items = await listItems(transaction, room.id)
    const item = items.find(({ id }) => id === itemId)
    if (!item || room.itemId !== itemId) {
      throw new AppError('conflict', 'The room plays something else now.')
    }
    const now = await findServerTime(transaction)
    const isRecent = input.at <= now && input.at >= now - LATEST_MS
    const at = isRecent ? Math.round(input.at) : now
    // The length of a video that is being prepared is not known.
    const end = item.durationSeconds > 0 ? item.durationSeconds : input.position
    return { itemId, position: Math.min(input.position, end), rate, isPaused, at }
  })
}

/** Plays an item of the queue from its start. */
export async function chooseItem(
  deps: Deps,
  input: Act & { itemId: number },
): Promise<RoomPlayback> {
  return change(deps, input, async (room, transaction) => {
    const items = await listItems(transaction, room.id)
    if (!items.some(({ id }) => id === input.itemId)) {
      throw new AppError('not-found', NO_SUCH_ITEM)
    }
    return startOf(input.itemId, await findServerTime(transaction))
  })
}

const startOf = (itemId: number | null, at: number) => ({
  ...{ itemId, position: 0, rate: 1, at },
  isPaused: itemId === null,
})

async function change(
  { db, live }: Deps,
  act: Act,
  decide: (
    room: WatchRoomRow,
    transaction: DatabaseTransaction,
  ) => Promise<Omit<RoomPlayback, 'version'>>,
): Promise<RoomPlayback> {
  const { roomId, playback } = await writeQuietly(db, async (transaction) => {
    const room = await requireSteered(transaction, act)
    await updatePlayback(transaction, { roomId: room.id, ...(await decide(room, transaction)) })
    return requireChanged(transaction, room.id)
  })
  live.rooms.announce(roomId, 'playback')
  return playback
}

async function requireChanged(db: Database, roomId: number) {
  const found = await findRoomPlayback(db, roomId)
  if (!found) throw new AppError('not-found', NO_SUCH_ROOM)
  return { roomId, playback: found.playback }
}

/**
 * Goes on with the next item, if the current one is over by the server's clock. Whoever sees the
 * end first says so; the others change nothing.
 */
export async function finishItem(
  { db, live }: Deps,
  input: Act & { itemId: number },
): Promise<RoomPlayback> {
  const { room, playback, hasChanged } = await writeQuietly(db, async (transaction) => {
    const room = await requireRoom(transaction, input)
    const items = await listItems(transaction, room.id)
    const index = items.findIndex(({ id }) => id === room.itemId)
    const now = await findServerTime(transaction)
    const duration = items[index]?.durationSeconds ?? 0
    const place = positionAt(toPlayback(room), now)
    const isOver =
      room.itemId === input.itemId &&
      room.isPaused === 0 &&
      duration > 0 &&
      place >= duration - END_SLACK_SECONDS
    if (!isOver) return { room, playback: toPlayback(room), hasChanged: false }
    const next = items[index + 1]
    const end = { itemId: input.itemId, position: duration, rate: 1, isPaused: true, at: now }
    await updatePlayback(transaction, {
      roomId: room.id,
      ...(next ? startOf(next.id, now) : end),
    })
    return { room, ...(await requireChanged(transaction, room.id)), hasChanged: true }
  })
  if (hasChanged) live.rooms.announce(room.id, 'playback')
  return playback
}

/** @throws `conflict` beyond 50 items */
export async function addItem(
  { db, live }: Deps,
  input: AddRoomItem & { viewer: Viewer },
): Promise<void> {
  const { viewer } = input
  const item = await findItem(db, input)
  const { roomId, isFirst } = await writeQuietly(db, async (transaction) => {
    const room = await requireSteered(transaction, input)
    const items = await listItems(transaction, room.id)
    if (items.length >= ROOM_ITEMS_MAX) {
      throw new AppError('conflict', `A queue has at most ${ROOM_ITEMS_MAX} videos and clips.`)
    }
    const place = (items.at(-1)?.place ?? -1) + 1
    const added = { ...item, roomId: room.id, place, addedBy: viewer.id }
    const itemId = await insertItem(transaction, added)
    const isFirst = !items.some(({ id }) => id === room.itemId)
    const at = await findServerTime(transaction)
    if (isFirst) await updatePlayback(transaction, { roomId: room.id, ...startOf(itemId, at) })
    return { roomId: room.id, isFirst }
  })
  live.rooms.announce(roomId, 'queue', ...(isFirst ? (['playback'] as const) : []))
}

/** If it plays, the room goes on with the next item, or stops. */
export async function removeItem(
  { db, live }: Deps,
  input: Act & { itemId: number },
): Promise<void> {
  const { itemId } = input
  const { roomId, wasPlaying } = await writeQuietly(db, async (transaction) => {
    const room = await requireSteered(transaction, input)
    const items = await listItems(transaction, room.id)
    const index = items.findIndex(({ id }) => id === itemId)
    if (index < 0) throw new AppError('not-found', NO_SUCH_ITEM)
    await deleteItem(transaction, { roomId: room.id, itemId })
    const wasPlaying = room.itemId === itemId
    if (wasPlaying) {
      const next = items[index + 1] ?? items[index - 1]
      const start = startOf(next?.id ?? null, await findServerTime(transaction))
      await updatePlayback(transaction, { roomId: room.id, ...start, isPaused: true })
    }
    return { roomId: room.id, wasPlaying }
  })
  live.rooms.announce(roomId, 'queue', ...(wasPlaying ? (['playback'] as const) : []))
}

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
      throw new AppError('not-found', 'This member is not in the room.')
    }
    if (role === 'host') await updateHost(transaction, { roomId: room.id, userId })
    else await updateRole(transaction, { roomId: room.id, userId, role })
    return room.id
  })
  live.rooms.announce(roomId, 'people')
}

export async function editRoom(
  { db, live }: Deps,
  input: EditRoom & { viewer: Viewer },
): Promise<void> {
  const room = await requireHosted(db, input)
  const { allowsGuests } = input
  await writeQuietly(db, (transaction) =>
    updateAllowsGuests(transaction, { roomId: room.id, allowsGuests }),
  )
  live.rooms.announce(room.id, 'room')
}

/** A host who leaves makes another member the host. */
export async function leaveRoom({ db, live }: Deps, act: Act): Promise<void> {
  const { viewer } = act
  const roomId = await writeQuietly(db, async (transaction) => {
    const { room, role } = await requireMembership(transaction, act)
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

/** @throws `forbidden` unless the viewer is the host or an admin */
export async function endRoom({ db, live }: Deps, act: Act): Promise<void> {
  const { room, role } = await requireMembership(db, act)
  if (!act.viewer.isAdmin) requireHost(role)
  await writeQuietly(db, (transaction) => deleteRoom(transaction, room.id))
  live.rooms.announce(room.id, 'room')
}

export async function deleteEmptyRooms(db: Database): Promise<void> {
  await writeQuietly(db, (transaction) => deleteRoomsNotSeen(transaction, KEPT_MS))
}
