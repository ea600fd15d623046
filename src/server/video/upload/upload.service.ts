import { randomBytes } from 'node:crypto'
import { requireRoom } from '#server/account/room/room.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { findUploadLimits, requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { MAX_OPEN_UPLOADS, UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { InitializeUpload, OpenUpload } from '#shared/schemas/upload.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { isBeingCut } from '../replacement/replacement.queries.ts'
import { requireEditable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { chunkCountOf, createUploadFile } from './chunk-store.ts'
import { requireUpload } from './upload.access.ts'
import {
  type CompleteDetails,
  countOpenUploads,
  findUpload,
  insertUpload,
  listReceivedChunks,
  moveUpload,
  updateUploadDetails,
} from './upload.queries.ts'
import { withDefaults } from './upload-details.service.ts'
import { removeUploadFiles } from './upload-files.ts'
import { withUploadLock } from './upload-lock.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline'>

/**
 * Resumes the viewer's open upload of the file.
 * @param input.inboxUploadId id for a new upload by the server, without the limit of open uploads
 * @throws `too-large` over the limit or the quota, `too-many` with three open, `no-space`,
 * `conflict` while the video to replace is being cut
 */
export async function openUpload(
  deps: Deps,
  input: InitializeUpload & { viewer: Viewer; inboxUploadId?: string },
): Promise<OpenUpload> {
  const { db } = deps
  const { viewer, fileName, fileSize } = input
  const { maxVideoBytes } = await findUploadLimits(deps)
  if (fileSize > maxVideoBytes) {
    throw new AppError('too-large', `The file is larger than ${formatBytes(maxVideoBytes)}.`)
  }
  const resumable = await findResumable(db, input)
  const replacesVideoId = input.replacesVideoId ?? null
  const replaced =
    replacesVideoId === null ? undefined : await requireReplaceable(db, replacesVideoId, viewer)
  await requireOpenCategory(db, input.metadata.category, {
    before: (resumable ?? replaced)?.category,
    field: 'metadata.category',
  })
  const details = replacesVideoId === null ? {} : HIDDEN
  const hadSquad = resumable !== undefined
  const defaults = { ...details, userId: viewer.id, hadSquad }
  const metadata = await withDefaults(db, { ...input.metadata, ...defaults })
  if (resumable) return resumeUpload(db, { id: resumable.id, details: metadata })
  const room = { config: deps.config, bytes: fileSize, freeBytes: await deps.disk.freeBytes() }
  const id = input.inboxUploadId ?? randomBytes(16).toString('hex')
  const isFromInbox: Flag = input.inboxUploadId === undefined ? 0 : 1
  await createUploadFile(deps.disk, id)
  failpoint('upload.folder-made')
  try {
    await inTransaction(db, async (transaction) => {
      await requireRoom(transaction, { ...room, userId: viewer.id })
      if (!isFromInbox && (await countOpenUploads(transaction, viewer.id)) >= MAX_OPEN_UPLOADS) {
        throw new AppError(
          'too-many',
          `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or cancel one of them first.`,
          { retryAfterSeconds: 60 },
        )
      }
      const mediaKey = randomBytes(16).toString('hex')
      const chunkCount = chunkCountOf(fileSize)
      const file = { id, userId: viewer.id, fileName, fileSize, chunkCount, mediaKey }
      await insertUpload(transaction, { ...file, ...metadata, replacesVideoId, isFromInbox })
    })
  } catch (error) {
    // Another node may have opened the same upload for the inbox.
    if (!isUniqueViolation(error)) await removeFolder(deps.disk.uploadFolder(id))
    throw error
  }
  failpoint('upload.row-inserted')
  return { uploadId: id, chunkSize: UPLOAD_CHUNK_BYTES, received: [], resumed: false }
}

/** If the video is deleted before it is replaced. */
const HIDDEN = { visibility: 'private', squadId: null } as const

async function requireReplaceable(db: Database, id: number, viewer: Viewer) {
  const video = await requireVideoOwner(db, { id, viewer })
  requireEditable(video, viewer)
  if (await isBeingCut(db, id)) {
    throw new AppError('conflict', 'This video is being cut. Replace it when that is done.')
  }
  return video
}

async function findResumable(db: Database, input: InitializeUpload & { viewer: Viewer }) {
  if (!input.resumeUploadId) return undefined
  const upload = await findUpload(db, { id: input.resumeUploadId, userId: input.viewer.id })
  const sameFile = upload?.fileName === input.fileName && upload.fileSize === input.fileSize
  return sameFile && upload.state === 'receiving' ? upload : undefined
}

async function resumeUpload(
  db: Database,
  upload: { id: string; details: CompleteDetails },
): Promise<OpenUpload> {
  await updateUploadDetails(db, upload)
  const received = await listReceivedChunks(db, upload.id)
  return { uploadId: upload.id, chunkSize: UPLOAD_CHUNK_BYTES, received, resumed: true }
}

/** Has no effect on a completed or expired upload. */
export async function cancelUpload(
  deps: Deps,
  input: { uploadId: string; viewer: Viewer },
): Promise<void> {
  await withUploadLock(deps.db, input.uploadId, async () => {
    await requireUpload(deps, { id: input.uploadId, viewer: input.viewer })
    await expireUpload(deps, input.uploadId)
  })
}

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
