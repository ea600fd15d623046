import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { PLAYLIST_ITEMS_MAX, PLAYLISTS_MAX } from '#shared/limits.ts'
import type { CreatePlaylist, EditPlaylist, Playlist } from '#shared/schemas/library.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import {
  countPlaylistItems,
  countPlaylists,
  deletePlaylist,
  deletePlaylistItem,
  findPlaylist,
  findWatchLater,
  insertPlaylist,
  insertPlaylistItem,
  listPlaylistVideoIds,
  listPlaylistVideos,
  listVisibleVideoIds,
  updatePlaylist,
  updatePlaylistOrder,
  upsertWatchLater,
} from './playlist.queries.ts'

export async function requirePlaylist(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Playlist> {
  const playlist = await findPlaylist(db, input)
  if (!playlist) throw new AppError('not-found', 'There is no such playlist.')
  return playlist
}

async function requireOwnPlaylist(db: Database, input: { id: number; viewer: Viewer }) {
  const playlist = await requirePlaylist(db, input)
  if (playlist.userId !== input.viewer.id) {
    throw new AppError('forbidden', 'Only its owner can change this playlist.')
  }
  return playlist
}

/**
 * @throws as `requireOwnPlaylist`, and `invalid` for 'Watch later', whose name and
 * visibility are fixed
 */
export async function requireChangeablePlaylist(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { kind } = await requireOwnPlaylist(db, input)
  if (kind === 'watch-later') {
    throw new AppError('invalid', "'Watch later' cannot be changed or deleted.")
  }
}

/** `videoCount` is of visible videos. */
export async function readPlaylist(
  db: Database,
  input: PageInput & { id: number; viewer: Viewer | undefined },
) {
  const { id, ...page } = input
  const playlist = await requirePlaylist(db, input)
  const { items, nextCursor } = await listPlaylistVideos(db, { ...page, playlistId: id })
  const { length } = await listVisibleVideoIds(db, { playlistId: id, viewer: input.viewer })
  return { ...playlist, videos: items, nextCursor, videoCount: length }
}

/** Null before it is created. */
export async function readWatchLater(db: Database, input: PageInput & { viewer: Viewer }) {
  const id = await findWatchLater(db, input.viewer.id)
  return id === undefined ? null : readPlaylist(db, { ...input, id })
}

/** @throws `conflict` at 200 playlists */
export async function createPlaylist(
  db: Database,
  input: CreatePlaylist & { viewer: Viewer },
): Promise<Playlist> {
  const { viewer, isPublic, visibility, ...texts } = input
  const playlist = { ...texts, visibility: visibility ?? toVisibility(isPublic) }
  const id = await inTransaction(db, async (transaction) => {
    if ((await countPlaylists(transaction, viewer.id)) >= PLAYLISTS_MAX) {
      throw new AppError('conflict', `You can have at most ${PLAYLISTS_MAX} playlists.`)
    }
    return insertPlaylist(transaction, { ...playlist, userId: viewer.id })
  })
  return requirePlaylist(db, { id, viewer })
}

/** @throws as `requireChangeablePlaylist` */
export async function editPlaylist(
  db: Database,
  input: EditPlaylist & { viewer: Viewer },
): Promise<Playlist> {
  const { id, viewer, title, description, isPublic, visibility, was } = input
  const change = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(isPublic !== undefined && { visibility: toVisibility(isPublic) }),
    ...(visibility !== undefined && { visibility }),
  }
  await inTransaction(db, async (transaction) => {
    await requireChangeablePlaylist(transaction, { id, viewer })
    const now = await requirePlaylist(transaction, { id, viewer })
    requireUnchanged({ now, wish: change, was })
    if (Object.keys(change).length > 0) await updatePlaylist(transaction, { id, change })
  })
  return requirePlaylist(db, { id, viewer })
}

export async function removePlaylist(db: Database, input: { id: number; viewer: Viewer }) {
  await requireChangeablePlaylist(db, input)
  await deletePlaylist(db, input.id)
}

/** For clients from before there were four levels. */
function toVisibility(isPublic: boolean): Visibility {
  return isPublic ? 'public' : 'private'
}

type Item = { playlistId: number; videoId: number; viewer: Viewer }

/** @throws `not-found` for the playlist or the video, `conflict` at 500 videos */
export async function addToPlaylist(db: Database, input: Item): Promise<void> {
  const { playlistId, videoId, viewer } = input
  await requireOwnPlaylist(db, { id: playlistId, viewer })
  await requireVideoOwner(db, { id: videoId, viewer })
  await inTransaction(db, async (transaction) => {
    if ((await countPlaylistItems(transaction, playlistId)) >= PLAYLIST_ITEMS_MAX) {
      throw new AppError('conflict', `A playlist holds at most ${PLAYLIST_ITEMS_MAX} videos.`)
    }
    await insertPlaylistItem(transaction, { playlistId, videoId })
    await updatePlaylist(transaction, { id: playlistId, change: {} })
  })
}

export async function addToWatchLater(db: Database, input: { videoId: number; viewer: Viewer }) {
  await requireVideoOwner(db, { id: input.videoId, viewer: input.viewer })
  const playlistId = await upsertWatchLater(db, input.viewer.id)
  await addToPlaylist(db, { ...input, playlistId })
}

export async function removeFromPlaylist(db: Database, input: Item): Promise<void> {
  const { playlistId, videoId } = input
  await requireOwnPlaylist(db, { id: playlistId, viewer: input.viewer })
  await deletePlaylistItem(db, { playlistId, videoId })
}

/** @throws `not-found` when the video is not in the playlist */
export async function moveInPlaylist(
  db: Database,
  input: Item & { toIndex: number },
): Promise<void> {
  const { playlistId, videoId, viewer, toIndex } = input
  await requireOwnPlaylist(db, { id: playlistId, viewer })
  await inTransaction(db, async (transaction) => {
    const order = await listPlaylistVideoIds(transaction, playlistId)
    const from = order.indexOf(videoId)
    if (from < 0) throw new AppError('not-found', 'This video is not in the playlist.')
    // The position is among visible videos.
    const seen = await listVisibleVideoIds(transaction, { playlistId, viewer })
    const others = seen.filter((id) => id !== videoId)
    const before = others[toIndex]
    order.splice(from, 1)
    order.splice(before === undefined ? order.length : order.indexOf(before), 0, videoId)
    await updatePlaylistOrder(transaction, { playlistId, videoIds: order })
  })
}
