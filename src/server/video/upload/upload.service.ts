import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { requireRoom } from '#server/account/room/room.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { requirePngOrJpeg } from '#server/platform/files/picture.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { findUploadLimits, requireCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { MAX_OPEN_UPLOADS, UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type {
  InitializeUpload,
  OpenUpload,
  SaveUploadDetails,
  UploadDetails,
} from '#shared/schemas/upload.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { redrawPicture } from '../media/redraw-picture.ts'
import { chunkKey } from '../media/stored-chunks.ts'
import { isBeingCut } from '../replacement/replacement.queries.ts'
import { requireEditable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import {
  chunkCountOf,
  chunkLength,
  createUploadFile,
  hashChunk,
  writeChunk,
} from './chunk-store.ts'
import {
  type CompleteDetails,
  countOpenUploads,
  findChunkHash,
  findUpload,
  insertChunk,
  insertUpload,
  listReceivedChunks,
  moveUpload,
  updateUploadDetails,
  updateUploadThumbnail,
} from './upload.queries.ts'
import { keepThumbnail, removeOtherThumbnails, removeUploadFiles } from './upload-files.ts'
import { withUploadLock } from './upload-lock.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline'>

/**
 * Opens an upload, or takes up one's own open upload of the same file.
 * @throws AppError `too-large` over the limit or the quota, `too-many` with three open, `no-space`; `not-found` and
 * `forbidden` for a video to replace that is not the viewer's, `conflict` for one that is being cut
 */
export async function openUpload(
  deps: Deps,
  input: InitializeUpload & { viewer: Viewer },
): Promise<OpenUpload> {
  const { db } = deps
  const { viewer, fileName, fileSize } = input
  const { maxVideoBytes } = await findUploadLimits(deps)
  if (fileSize > maxVideoBytes) {
    throw new AppError('too-large', `The file is larger than ${formatBytes(maxVideoBytes)}.`)
  }
  await requireCategory(db, input.metadata.category, 'metadata.category')
  const replacesVideoId = input.replacesVideoId ?? null
  if (replacesVideoId !== null) {
    requireEditable(await requireVideoOwner(db, { id: replacesVideoId, viewer }), viewer)
    if (await isBeingCut(db, replacesVideoId)) {
      throw new AppError('conflict', 'This video is being cut. Replace it when that is done.')
    }
  }
  const details = replacesVideoId === null ? {} : HIDDEN
  const metadata = await withDefaults(db, { ...input.metadata, ...details })
  const resumed = await resumeUpload(deps, { ...input, metadata })
  if (resumed) return resumed
  const room = { config: deps.config, bytes: fileSize, freeBytes: await deps.disk.freeBytes() }
  const id = randomBytes(16).toString('hex')
  await createUploadFile(deps.disk, id)
  failpoint('upload.folder-made')
  try {
    await inTransaction(db, async (transaction) => {
      await requireRoom(transaction, { ...room, userId: viewer.id })
      if ((await countOpenUploads(transaction, viewer.id)) >= MAX_OPEN_UPLOADS) {
        throw new AppError(
          'too-many',
          `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or cancel one of them first.`,
          { retryAfterSeconds: 60 },
        )
      }
      const mediaKey = randomBytes(16).toString('hex')
      const chunkCount = chunkCountOf(fileSize)
      const file = { id, userId: viewer.id, fileName, fileSize, chunkCount, mediaKey }
      await insertUpload(transaction, { ...file, ...metadata, replacesVideoId })
    })
  } catch (error) {
    await removeFolder(deps.disk.uploadFolder(id))
    throw error
  }
  failpoint('upload.row-inserted')
  return { uploadId: id, chunkSize: UPLOAD_CHUNK_BYTES, received: [], resumed: false }
}

/** A recording that is to replace one stays its owner's alone when the video is deleted meanwhile. */
const HIDDEN = { visibility: 'private' } as const

/** What the uploader left open is as the site's admins want it. */
async function withDefaults(db: Database, details: UploadDetails): Promise<CompleteDetails> {
  const { anonymousByDefault } = await findSiteSettings(db)
  return { ...details, isAnonymous: details.isAnonymous ?? anonymousByDefault }
}

/** Updates what an open upload is of. @throws AppError `invalid` for a category there is none of */
export async function changeDetails(
  { db }: Pick<Deps, 'db'>,
  input: { uploadId: string; metadata: UploadDetails },
): Promise<void> {
  await requireCategory(db, input.metadata.category)
  const details = await withDefaults(db, input.metadata)
  await updateUploadDetails(db, { id: input.uploadId, details })
}

/**
 * Updates what an open upload of one's own is of.
 * @throws AppError `not-found`, `conflict` when completed or when a changed field is not what it `was`, `gone`,
 * `invalid` for a category there is none of
 */
export async function saveDetails(
  deps: Deps,
  input: SaveUploadDetails & { viewer: Viewer },
): Promise<void> {
  await withUploadLock(deps.db, input.uploadId, async () => {
    const { uploadId, viewer, metadata, was = {} } = input
    const upload = await requireReceiving(deps, { id: uploadId, viewer })
    const { title, description, category, visibility } = upload
    const tags: string[] = JSON.parse(upload.tags)
    const isAnonymous = upload.isAnonymous === 1
    const now = { title, description, category, tags, isAnonymous, visibility }
    const wish = await withDefaults(deps.db, metadata)
    const names = Object.keys(was) as (keyof typeof now)[]
    const untouched = names.filter((name) => isDeepStrictEqual(wish[name], was[name]))
    const kept = Object.fromEntries(untouched.map((name) => [name, now[name]]))
    requireUnchanged({ now, wish: { ...wish, ...kept }, was })
    await changeDetails(deps, { uploadId, metadata: { ...wish, ...kept } })
  })
}

async function resumeUpload(
  { db }: Deps,
  input: InitializeUpload & { viewer: Viewer; metadata: CompleteDetails },
): Promise<OpenUpload | undefined> {
  if (!input.resumeUploadId) return undefined
  const upload = await findUpload(db, { id: input.resumeUploadId, userId: input.viewer.id })
  const sameFile = upload?.fileName === input.fileName && upload.fileSize === input.fileSize
  if (!sameFile || upload.state !== 'receiving') return undefined
  await updateUploadDetails(db, { id: upload.id, details: input.metadata })
  const received = await listReceivedChunks(db, upload.id)
  return { uploadId: upload.id, chunkSize: UPLOAD_CHUNK_BYTES, received, resumed: true }
}

type Chunk = {
  uploadId: string
  chunkIndex: number
  totalChunks: number
  bytes: Buffer
}

/**
 * Stores one chunk: when this returns, the bytes and the row that vouches for them are on the disk.
 * The same bytes again change nothing.
 * @throws AppError `not-found`, `invalid` (index, total or length), `conflict` (other bytes, or
 * completed), `gone` (expired)
 */
export async function receiveChunk(deps: Deps, input: Chunk & { viewer: Viewer }): Promise<void> {
  const { uploadId, chunkIndex, bytes, viewer } = input
  await withUploadLock(deps.db, uploadId, async () => {
    const upload = await requireReceiving(deps, { id: uploadId, viewer })
    requireFittingChunk(upload, input)
    const stored = await findChunkHash(deps.db, { uploadId, chunkIndex })
    if (stored) {
      if ((await hashChunk(bytes)).equals(stored)) return
      throw new AppError('conflict', `Chunk ${chunkIndex} was stored before with other bytes.`)
    }
    const written = writeChunk(deps.disk, { uploadId, chunkIndex, bytes })
    // It is waited for below, whatever comes of the hash; one that fails meanwhile is not unheard of.
    written.catch(() => {})
    const hash = await hashChunk(bytes).finally(() => written)
    if (deps.media.remote) {
      await deps.media.put([{ key: chunkKey(uploadId, chunkIndex, hash), bytes }])
    }
    failpoint('chunk.written')
    await insertChunk(deps.db, { uploadId, chunkIndex, hash })
    failpoint('chunk.recorded')
  })
}

function requireFittingChunk(upload: UploadRow, input: Chunk): void {
  const { chunkIndex, totalChunks, bytes } = input
  if (totalChunks !== upload.chunkCount) {
    throw new AppError('invalid', `totalChunks must be ${upload.chunkCount} for this file.`)
  }
  if (chunkIndex >= upload.chunkCount) {
    throw new AppError('invalid', `chunkIndex must be from 0 to ${upload.chunkCount - 1}.`)
  }
  const length = chunkLength(upload.fileSize, chunkIndex)
  if (bytes.length !== length) {
    throw new AppError(
      'invalid',
      `Chunk ${chunkIndex} must be ${length} bytes long, but is ${bytes.length}.`,
    )
  }
}

/**
 * Takes a picture for the video to come, in the place of an earlier one: decoded, scaled down and rewritten, so that nothing
 * but the picture remains.
 * @throws AppError `unsupported` unless PNG or JPEG by its bytes, `unprocessable` when it cannot be
 * decoded, `not-found`, `conflict`, `gone`, `too-large` over the quota, `no-space`
 */
export async function receiveThumbnail(
  deps: Deps,
  input: { uploadId: string; bytes: Buffer; viewer: Viewer },
): Promise<string> {
  const { uploadId, bytes, viewer } = input
  requirePngOrJpeg(bytes, 'The thumbnail')
  return withUploadLock(deps.db, uploadId, async () => {
    const upload = await requireReceiving(deps, { id: uploadId, viewer })
    const folder = deps.disk.uploadFolder(uploadId)
    const work = join(folder, 'thumbnail-work')
    await mkdir(work, { recursive: true })
    try {
      const sourcePath = join(work, 'source')
      const outputPath = join(work, 'thumbnail.jpg')
      await writeFile(sourcePath, bytes)
      const options = { memberId: viewer.id, signal: deps.deadline }
      await redrawPicture({ sourcePath, outputPath }, options)
      await syncFile(outputPath)
      const name = `thumbnail-${randomBytes(6).toString('hex')}.jpg`
      const thumbnailUrl = mediaUrl(upload.mediaKey, name)
      const thumbnailBytes = (await stat(outputPath)).size
      await countThumbnail(deps, { upload, thumbnailBytes })
      await rename(outputPath, join(folder, name))
      await syncFolder(folder)
      await keepThumbnail(deps, { uploadId, name })
      failpoint('thumbnail.moved')
      await updateUploadThumbnail(deps.db, { id: uploadId, thumbnailUrl })
      failpoint('thumbnail.recorded')
      await removeOtherThumbnails(deps, { uploadId, name })
      await updateUploadThumbnail(deps.db, { id: uploadId, thumbnailBytes })
      return thumbnailUrl
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  })
}

/** Counts a picture beside the one that it replaces. What a crash leaves counted goes with the upload. */
async function countThumbnail(
  { config, db, disk }: Deps,
  { upload, thumbnailBytes }: { upload: UploadRow; thumbnailBytes: number },
): Promise<void> {
  const { id, userId } = upload
  const room = { config, userId, bytes: thumbnailBytes, freeBytes: await disk.freeBytes() }
  await inTransaction(db, async (transaction) => {
    await requireRoom(transaction, room)
    const both = upload.thumbnailBytes + thumbnailBytes
    await updateUploadThumbnail(transaction, { id, thumbnailBytes: both })
  })
}

/** Gives up an open upload and what arrived of it; one that is over already stays as it is. */
export async function cancelUpload(
  deps: Deps,
  input: { uploadId: string; viewer: Viewer },
): Promise<void> {
  await withUploadLock(deps.db, input.uploadId, async () => {
    await requireUpload(deps, { id: input.uploadId, viewer: input.viewer })
    await expireUpload(deps, input.uploadId)
  })
}

/** Ends an upload that is still receiving, and frees its room. */
export async function expireUpload(
  deps: Pick<Deps, 'db' | 'disk' | 'media'>,
  id: string,
): Promise<void> {
  if (await moveUpload(deps.db, { id, from: 'receiving', to: 'expired' })) {
    failpoint('cancel.marked')
    await removeUploadFiles(deps, id)
    failpoint('cancel.removed')
  }
}

/** @throws AppError `not-found` for an unknown upload and for another member's. */
export async function requireUpload(
  { db }: Pick<Deps, 'db'>,
  input: { id: string; viewer: Viewer },
): Promise<UploadRow> {
  const upload = await findUpload(db, { id: input.id, userId: input.viewer.id })
  if (!upload) throw new AppError('not-found', 'There is no such upload.')
  return upload
}

/**
 * An upload of one's own that takes chunks.
 * @throws AppError `not-found`, `conflict` when completed, `gone` when expired
 */
export async function requireReceiving(
  deps: Deps,
  input: { id: string; viewer: Viewer },
): Promise<UploadRow> {
  const upload = await requireUpload(deps, input)
  if (upload.state === 'receiving') return upload
  if (upload.state === 'expired') throw uploadExpired()
  throw new AppError('conflict', 'This upload is already completed.')
}

export function uploadExpired(): AppError {
  return new AppError('gone', 'This upload has expired. Please start it again.')
}
