import { randomBytes } from 'node:crypto'
import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import type { WatchRoomRow } from '#server/platform/db/tables/watch-room.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireClipOwner } from '#server/video/clip/clip.service.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { CreateRoom, EditRoom, WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { ROOM_ITEMS_MAX, type RoomRole } from '#shared/watch-rooms.ts'
import { listVisibleVideoIds } from '../playlist/playlist.queries.ts'
import { requirePlaylist } from '../playlist/playlist.service.ts'
import { readSquadView } from '../squad-view/squad-view.service.ts'
import { requireHost, requireMayEnter, requireSteers } from './watch-room.access.ts'
import {
  deleteRoom,
  deleteRoomsNotSeen,
  findRoom,
  findServerTime,
  insertItem,
  insertRoom,
  listShownItems,
  toPlayback,
  updateAllowsGuests,
  updatePlayback,
} from './watch-room.queries.ts'
import { findMembership, listRemoved, upsertPresent } from './watch-room-members.queries.ts'

export const NO_SUCH_ROOM = 'This room is over, or its address is not complete.'
/** A room is deleted when nobody has been in it for this long. */
const KEPT_MS = 3 * 60 * 60 * 1000

export type Deps = Pick<AppDeps, 'db' | 'live'>
export type Act = { token: string; viewer: Viewer }
type Item = { videoId: number; clipId: number | null; squadViewId: number | null }

/** @throws `not-found` for an unknown room, and as `requireMayEnter` */
export async function requireRoom(
  db: Database,
  { token, viewer }: { token: string; viewer: Viewer | undefined },
): Promise<{ room: WatchRoomRow; role: RoomRole | undefined }> {
  const room = await findRoom(db, token)
  if (!room) throw new AppError('not-found', NO_SUCH_ROOM)
  const membership = viewer && (await findMembership(db, { roomId: room.id, userId: viewer.id }))
  requireMayEnter(room, { viewer, isRemoved: membership?.isRemoved ?? false })
  return { room, role: membership?.role }
}

export async function requireSteered(db: Database, act: Act): Promise<WatchRoomRow> {
  const { room, role } = await requireRoom(db, act)
  requireSteers(role)
  return room
}

export async function requireHosted(db: Database, act: Act): Promise<WatchRoomRow> {
  const { room, role } = await requireRoom(db, act)
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
  const { playlistId, squadViewId, viewer } = input
  if (squadViewId !== undefined) return [await findSquadViewItem(db, { id: squadViewId, viewer })]
  if (playlistId === undefined) return [await findItem(db, input)]
  const playlist = await requirePlaylist(db, { id: playlistId, viewer })
  const ids = await listVisibleVideoIds(db, { playlistId: playlist.id, viewer })
  if (ids.length === 0) throw new AppError('invalid', 'There is no video in this playlist.')
  return ids
    .slice(0, ROOM_ITEMS_MAX)
    .map((videoId) => ({ videoId, clipId: null, squadViewId: null }))
}

async function findSquadViewItem(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<Item> {
  const { recordings } = await readSquadView(db, input)
  const first = recordings.find(
    ({ state, offsetSeconds }) => state === 'in' && offsetSeconds !== null,
  )
  if (!first) throw new AppError('conflict', 'No recording of this squad view is aligned yet.')
  return { videoId: first.video.id, clipId: null, squadViewId: input.id }
}

export async function findItem(
  db: Database,
  input: { videoId?: number | undefined; clipId?: number | undefined; viewer: Viewer },
): Promise<Item> {
  const { videoId, clipId, viewer } = input
  if (clipId !== undefined) {
    const clip = await requireClipOwner(db, { id: clipId, viewer })
    return { videoId: clip.videoId, clipId, squadViewId: null }
  }
  const video = await requireVideoOwner(db, { id: videoId ?? 0, viewer })
  return { videoId: video.id, clipId: null, squadViewId: null }
}

export async function readRoom(
  db: Database,
  { token, viewer }: { token: string; viewer: Viewer | undefined },
): Promise<WatchRoom> {
  const { room, role } = await requireRoom(db, { token, viewer })
  return {
    token,
    allowsGuests: room.allowsGuests === 1,
    createdAt: room.createdAt,
    myRole: viewer ? (role ?? 'watches') : null,
    playback: toPlayback(room),
    items: await listShownItems(db, { roomId: room.id, viewer }),
    removed: role === 'host' ? await listRemoved(db, room.id) : [],
  }
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

/** @throws `forbidden` unless the viewer is the host or an admin */
export async function endRoom({ db, live }: Deps, act: Act): Promise<void> {
  const { room, role } = await requireRoom(db, act)
  if (!act.viewer.isAdmin) requireHost(role)
  await writeQuietly(db, (transaction) => deleteRoom(transaction, room.id))
  live.rooms.announce(room.id, 'room')
}

export async function deleteEmptyRooms(db: Database): Promise<void> {
  await writeQuietly(db, (transaction) => deleteRoomsNotSeen(transaction, KEPT_MS))
}
