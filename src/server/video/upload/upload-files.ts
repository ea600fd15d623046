import { copyFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { exists } from '#server/platform/durable-files.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { putFiles, SOURCE_FILE, StoreError, storeKey } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { fetchChunks } from './chunk-store.ts'
import { deleteChunks, listChunks } from './upload.queries.ts'

/** Unit of `stat`. */
const BLOCK_BYTES = 512

type Deps = Pick<AppDeps, 'db' | 'disk' | 'media'>
type Storage = Pick<Deps, 'disk' | 'media'>

const uploadPrefix = (uploadId: string) => `uploads/${uploadId}/`

export async function keepThumbnail(
  { disk, media }: Storage,
  { uploadId, name }: { uploadId: string; name: string },
): Promise<void> {
  if (!media.remote) return
  const bytes = await readFile(join(disk.uploadFolder(uploadId), name))
  await media.put([{ key: uploadPrefix(uploadId) + name, bytes }])
}

export async function removeOtherThumbnails(
  { disk, media }: Storage,
  { uploadId, name }: { uploadId: string; name: string | undefined },
): Promise<void> {
  const isOther = (file: string) => file.startsWith('thumbnail-') && file !== name
  const folder = disk.uploadFolder(uploadId)
  for (const file of await readdir(folder)) {
    if (isOther(file)) await rm(join(folder, file), { recursive: true, force: true })
  }
  if (!media.remote) return
  const prefix = uploadPrefix(uploadId)
  const keys: string[] = []
  for await (const { key } of media.list(prefix)) {
    if (isOther(key.slice(prefix.length))) keys.push(key)
  }
  for (const key of keys) await media.removePrefix(key)
}

export async function hasThumbnail(
  { disk, media }: Storage,
  { uploadId, name }: { uploadId: string; name: string },
): Promise<boolean> {
  if (await exists(join(disk.uploadFolder(uploadId), name))) return true
  return (
    media.remote !== undefined && (await media.stat(uploadPrefix(uploadId) + name)) !== undefined
  )
}

/** @throws `conflict` naming chunks to resend, `no-space` */
export async function gatherUpload(
  { db, disk, media }: Deps,
  { upload, thumbnail }: { upload: UploadRow; thumbnail: string | undefined },
): Promise<void> {
  if (!media.remote) return
  const { id: uploadId } = upload
  await requireRoom(disk, upload)
  const chunks = await listChunks(db, uploadId)
  const lost = await fetchChunks({ disk, media }, { upload, chunks })
  if (lost.length > 0) {
    await deleteChunks(db, { uploadId, chunkIndexes: lost })
    throw new AppError('conflict', `Missing chunks: ${lost.join(', ')}`)
  }
  const path = thumbnail && join(disk.uploadFolder(uploadId), thumbnail)
  if (!path || (await exists(path))) return
  const copy = await media.localCopy(uploadPrefix(uploadId) + thumbnail)
  if (copy) await copyFile(copy.path, path).finally(copy.release)
}

/** The start may have checked another node's disk. */
async function requireRoom(disk: Deps['disk'], { id, fileSize }: UploadRow): Promise<void> {
  const here = await stat(join(disk.uploadFolder(id), SOURCE_FILE)).catch(() => undefined)
  const missing = fileSize - (here?.blocks ?? 0) * BLOCK_BYTES
  if (missing <= 0 || (await disk.freeBytes()) >= missing) return
  throw new AppError('no-space', 'The server has no room left for a file of this size.')
}

/**
 * Idempotent; deletes the upload's other files.
 * @param input.names null for all
 * @param input.areHere the folder is complete; else all must be stored
 * @returns false when one is in neither place
 */
export async function putUploadedFiles(
  { disk, media }: Storage,
  input: { upload: UploadRow; names: string[] | null; areHere: boolean },
): Promise<boolean> {
  const { id, mediaKey } = input.upload
  const folder = disk.uploadFolder(id)
  const here = input.areHere ? await readdir(folder).catch((): string[] => []) : []
  const names = input.names ?? here
  for (const name of names) {
    if (!here.includes(name) && !(await media.stat(storeKey(mediaKey, name)))) return false
  }
  await putFiles(media, { mediaKey, folder, names: names.filter((name) => here.includes(name)) })
  failpoint('complete.moved')
  await dropFolder(disk, id)
  failpoint('complete.source-removed')
  return true
}

/** A large file takes long; the next start deletes remains. */
async function dropFolder(disk: Deps['disk'], uploadId: string): Promise<void> {
  const dropped = join(disk.folders.work, `dropped-${uploadId}`)
  await removeFolder(dropped)
  const isThere = await rename(disk.uploadFolder(uploadId), dropped).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  if (isThere) void removeFolder(dropped).catch(() => {})
}

/** In an outage the janitor deletes stored chunks. */
export async function removeUploadFiles({ disk, media }: Storage, uploadId: string): Promise<void> {
  await removeFolder(disk.uploadFolder(uploadId))
  await removeStoredChunks(media, uploadId)
}

export async function removeStoredChunks(media: Deps['media'], uploadId: string): Promise<void> {
  if (!media.remote) return
  await media.removePrefix(uploadPrefix(uploadId)).catch((error) => {
    if (!(error instanceof StoreError)) throw error
  })
}
