import {
  countPlaylists,
  insertPlaylist,
  insertPlaylistItem,
  listPlaylists,
  listPlaylistVideoIds,
  updatePlaylist,
  upsertWatchLater,
} from '#server/community/playlist/playlist.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  findImportedVideo,
  type ImportedVideo,
} from '#server/video/video/imported-video.queries.ts'
import { PLAYLIST_ITEMS_MAX, PLAYLISTS_MAX } from '#shared/limits.ts'
import { countOf } from '#shared/text/format.ts'
import type { ForeignLibrary, ForeignPlaylist, ForeignProblem } from './foreign-library.ts'

type Imported = {
  source: ImportedVideo['source']
  viewer: Viewer
  library: ForeignLibrary
  result: { playlists: number; problems: ForeignProblem[] }
}

/** A playlist of the same name gets the videos that it lacks, so that an import can be repeated. */
export async function importPlaylists(db: Database, input: Imported): Promise<void> {
  const { library, result } = input
  for (const playlist of library.playlists) {
    const sentence = await importPlaylist(db, { ...input, playlist })
    if (sentence === undefined) result.playlists++
    else result.problems.push({ path: playlist.title, sentence })
  }
}

/** @returns a sentence about what is missing */
async function importPlaylist(
  db: Database,
  { source, viewer, playlist }: Imported & { playlist: ForeignPlaylist },
): Promise<string | undefined> {
  const videoIds: number[] = []
  for (const sourceId of playlist.videoIds) {
    const imported = await findImportedVideo(db, { userId: viewer.id, source, sourceId })
    if (imported?.videoId) videoIds.push(imported.videoId)
  }
  return inTransaction(db, async (transaction) => {
    const id = await choosePlaylist(transaction, { viewer, playlist })
    if (id === undefined) return `The owner has ${PLAYLISTS_MAX} playlists already.`
    const there = await listPlaylistVideoIds(transaction, id)
    const missing = videoIds.filter((videoId) => !there.includes(videoId))
    const fitting = missing.slice(0, Math.max(0, PLAYLIST_ITEMS_MAX - there.length))
    for (const videoId of fitting) {
      await insertPlaylistItem(transaction, { playlistId: id, videoId })
    }
    if (fitting.length > 0) await updatePlaylist(transaction, { id, change: {} })
    const left = missing.length - fitting.length
    return left === 0 ? undefined : `The playlist has no room for ${countOf(left, 'video')}.`
  })
}

async function choosePlaylist(
  transaction: DatabaseTransaction,
  { viewer, playlist }: { viewer: Viewer; playlist: ForeignPlaylist },
): Promise<number | undefined> {
  const { title, description, visibility } = playlist
  const { id: userId } = viewer
  if (playlist.isWatchLater) return upsertWatchLater(transaction, userId)
  const own = await listPlaylists(transaction, { viewer, userId, all: true })
  const same = own.find((one) => one.kind === 'list' && one.title === title)
  if (same) return same.id
  if ((await countPlaylists(transaction, userId)) >= PLAYLISTS_MAX) return undefined
  return insertPlaylist(transaction, { userId, title, description, visibility })
}
