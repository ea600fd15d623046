import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { deleteFileHashes, listHashedKeys } from '#server/platform/files/file-hash.queries.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { listFoldersInBatches, type StoredFolder } from '#server/platform/files/stored-folders.ts'
import { withFolderLock } from '../video/folder-lock.ts'
import { fileIn } from '../video/media-address.ts'
import { updateVideo } from '../video/video.queries.ts'
import { listVideosByKey } from '../video/video-rows.queries.ts'
import {
  listChunks,
  listKnownMedia,
  listOpenUploads,
  updatePictureBytes,
} from './media-folder.queries.ts'
import { recountStorage } from './media-folder.ts'
import { listStrayChunks } from './stored-chunks.ts'
import { listStrayFiles, strayKey } from './stray-files.queries.ts'
import { uploadPrefix } from './upload-folders.ts'

type Deps = Pick<AppDeps, 'closing' | 'db' | 'media'>

const AT_A_TIME = 500
const ORPHAN_AGE_MS = 60 * 60 * 1000

/**
 * Walks the store; updates `videoFileExists` and picture sizes.
 * @returns prefixes and keys without a row, unchanged for an hour
 * @throws StoreError
 */
export async function reviewMedia(deps: Deps): Promise<string[]> {
  const orphans: string[] = []
  let afterKey = ''
  for await (const folders of listFoldersInBatches(deps.media, 'media', AT_A_TIME)) {
    const known = new Set(await listKnownMedia(deps.db, folders.map(nameOf)))
    const unknown = folders.filter(({ name, changedAt }) => !known.has(name) && isOld(changedAt))
    orphans.push(...unknown.map(({ name }) => storeKey(name)))
    const resting = folders.filter(({ changedAt }) => isOld(changedAt))
    await updatePictureBytes(deps.db, resting)
    orphans.push(...(await listStrayFiles(deps.db, resting)).map(strayKey))
    const upToKey = folders.at(-1)?.name ?? afterKey
    await markVideos(deps, { folders, afterKey, upToKey })
    afterKey = upToKey
    if (deps.closing.aborted) return []
    await nextTurn()
  }
  await markVideos(deps, { folders: [], afterKey })
  return [...orphans, ...(await findOrphanedUploads(deps))]
}

export async function forgetHashes({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (let afterKey: string | undefined = ''; afterKey !== undefined; ) {
    const keys = await listHashedKeys(db, { afterKey, limit: AT_A_TIME })
    const known = new Set(await listKnownMedia(db, keys))
    await deleteFileHashes(
      db,
      keys.filter((key) => !known.has(key)),
    )
    afterKey = keys.at(-1)
  }
}

/** @param input.folders all of the range */
async function markVideos(
  deps: Deps,
  input: { folders: StoredFolder[]; afterKey: string; upToKey?: string },
): Promise<void> {
  const stored = new Map(input.folders.map((folder) => [folder.name, folder]))
  let { afterKey } = input
  for (;;) {
    const range = { afterKey, upToKey: input.upToKey, limit: AT_A_TIME }
    const videos = await listVideosByKey(deps.db, range)
    for (const video of videos) {
      const found = isIn(stored.get(video.mediaKey), video)
      // Nearly all: a promise for each would be most of the garbage.
      if (found !== video.videoFileExists) await markVideo(deps, { ...video, found })
    }
    const last = videos.at(-1)
    if (!last || deps.closing.aborted) return
    afterKey = last.mediaKey
    await nextTurn()
  }
}

type ListedVideo = Awaited<ReturnType<typeof listVideosByKey>>[number]

/** What is noted, for a video without a file. */
function isIn(folder: StoredFolder | undefined, video: ListedVideo): Flag {
  if (video.videoUrl === null) return video.videoFileExists
  return folder?.files.has(fileIn(video.videoUrl) ?? '') ? 1 : 0
}

async function markVideo(
  { db, media }: Deps,
  { id, mediaKey, videoUrl, videoFileExists, found }: ListedVideo & { found: Flag },
): Promise<void> {
  const file = fileIn(videoUrl ?? '') ?? ''
  // A file that moves between stores during listing may be in neither list.
  const exists = found || (await media.stat(storeKey(mediaKey, file))) ? 1 : 0
  if (exists !== videoFileExists) await updateVideo(db, { id, change: { videoFileExists: exists } })
}

/** Also unacknowledged chunks of idle uploads. */
async function findOrphanedUploads({ db, media }: Deps): Promise<string[]> {
  const orphans = new Set<string>()
  if (!media.remote) return []
  for await (const folders of listFoldersInBatches(media, 'uploads', AT_A_TIME)) {
    const resting = folders.filter(({ changedAt }) => isOld(changedAt))
    const open = await listOpenUploads(db, resting.map(nameOf))
    const strays = listStrayChunks(resting, { open, chunks: await listChunks(db, open) })
    for (const { name } of resting) if (!open.includes(name)) orphans.add(uploadPrefix(name))
    for (const key of strays) orphans.add(key)
  }
  return [...orphans]
}

export async function removeOrphan(deps: Deps, prefix: string): Promise<void> {
  const { media } = deps
  const [, mediaKey, file] = /^media\/([^/]+)\/(.+)$/.exec(prefix) ?? []
  if (mediaKey && file) return removeStrayFile(deps, { mediaKey, file })
  await media.removePrefix(prefix)
}

/** Recounts the video, which may have included it. */
async function removeStrayFile(
  { db, media }: Deps,
  { mediaKey, file }: { mediaKey: string; file: string },
): Promise<void> {
  await withFolderLock(db, mediaKey, async () => {
    const folder = { name: mediaKey, files: new Map([[file, 0]]) }
    const [stray] = await listStrayFiles(db, [folder])
    if (!stray) return
    await media.removePrefix(strayKey(stray))
    await recountStorage({ db, media }, { id: stray.videoId, mediaKey })
  })
}

const nameOf = ({ name }: StoredFolder) => name
const isOld = (time: Date) => Date.now() - time.getTime() > ORPHAN_AGE_MS
