import {
  type Database,
  type DatabaseTransaction,
  writeQuietly,
} from '#server/platform/db/database.ts'
import type { WatchRoomRow } from '#server/platform/db/tables/watch-room.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { AddRoomItem, ControlRoom, MoveRoomItem } from '#shared/schemas/watch-room.schemas.ts'
import { positionAt, ROOM_ITEMS_MAX, type RoomPlayback } from '#shared/watch-rooms.ts'
import {
  deleteItem,
  findRoomPlayback,
  findServerTime,
  insertItem,
  listItems,
  toPlayback,
  updatePlaces,
  updatePlayback,
} from './watch-room.queries.ts'
import {
  type Act,
  type Deps,
  findItem,
  NO_SUCH_ROOM,
  requireRoom,
  requireSteered,
} from './watch-room.service.ts'

const NO_SUCH_ITEM = 'This is no longer in the queue.'
/** A command applies from the time at which it was given, if that is at most this long ago. */
const LATEST_MS = 2000
/** Players stop a little before or after the end. */
const END_SLACK_SECONDS = 1.5

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
    const { room } = await requireRoom(transaction, input)
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
    if (isFirst) {
      const start = startOf(itemId, await findServerTime(transaction))
      await updatePlayback(transaction, { roomId: room.id, ...start })
    }
    return { roomId: room.id, isFirst }
  })
  live.rooms.announce(roomId, 'queue', ...(isFirst ? (['playback'] as const) : []))
}

/** Moves an item to a place of the queue, counted from 0. What plays goes on. */
export async function moveItem(
  { db, live }: Deps,
  { itemId, toIndex, ...act }: MoveRoomItem & { viewer: Viewer },
): Promise<void> {
  const roomId = await writeQuietly(db, async (transaction) => {
    const room = await requireSteered(transaction, act)
    const items = await listItems(transaction, room.id)
    const moved = items.find(({ id }) => id === itemId)
    if (!moved) throw new AppError('not-found', NO_SUCH_ITEM)
    const others = items.filter((item) => item !== moved)
    const ids = others.toSpliced(toIndex, 0, moved).map(({ id }) => id)
    await updatePlaces(transaction, ids)
    return room.id
  })
  live.rooms.announce(roomId, 'queue')
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
