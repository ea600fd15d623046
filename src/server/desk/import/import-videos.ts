/** See docs/decisions/0087-import-from-elsewhere.md. */
import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { findUploadLimits } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { FileChangedError, hashSampledChunks } from '#server/video/upload/local-file.ts'
import { findSameVideo } from '#server/video/upload/same-file.queries.ts'
import { sendFile } from '#server/video/upload/send-file.ts'
import { findUpload } from '#server/video/upload/upload.queries.ts'
import { cancelUpload } from '#server/video/upload/upload.service.ts'
import {
  deleteUnpublishedImport,
  findImportedVideo,
  type ImportedVideo,
  insertImportedVideo,
  updateImportedVideo,
} from '#server/video/video/imported-video.queries.ts'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { addPicture, finishImport } from './finish-import.ts'
import type {
  ForeignFile,
  ForeignLibrary,
  ForeignProblem,
  ForeignVideo,
} from './foreign-library.ts'
import type { ImportDeps, ImportListeners } from './import-deps.ts'
import { importPlaylists } from './import-playlists.ts'
import { explainUnreadable } from './unreadable-file.ts'

type Import = {
  source: ImportedVideo['source']
  viewer: Viewer
  library: ForeignLibrary
  isDryRun: boolean
}

export type ImportResult = {
  imported: number
  there: number
  bytes: number
  playlists: number
  problems: ForeignProblem[]
  notes: ForeignProblem[]
  /** The reason why the import ended early. Repeating the command continues it. */
  cause: unknown
}

type Item = {
  video: ForeignVideo
  file: ForeignFile | undefined
  known: ImportedVideo | undefined
}

/**
 * Imports videos one after the other, each as an upload of its owner. Repeating it continues an interrupted import.
 * @returns also what came before an error that ended it, such as `no-space` or StoreError
 */
export async function importVideos(
  deps: ImportDeps,
  input: Import,
  listeners: ImportListeners,
): Promise<ImportResult> {
  const counts = { imported: 0, there: 0, bytes: 0, playlists: 0 }
  const result: ImportResult = { ...counts, problems: [], notes: [], cause: undefined }
  const { library, isDryRun } = input
  try {
    await importAll(deps, { ...input, ...listeners, result })
  } catch (error) {
    result.cause = error
  }
  result.problems.push(...library.problems)
  if (isDryRun) return result
  if (result.cause === undefined) await importPlaylists(deps.db, { ...input, result })
  await recordImport(deps.db, { ...input, result }).catch((error) => {
    result.cause ??= error
  })
  return result
}

async function importAll(
  deps: ImportDeps,
  input: Import & ImportListeners & { result: ImportResult },
): Promise<void> {
  const { result } = input
  const items = await listItems(deps, input)
  const allBytes = items.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0)
  let sent = 0
  const tell = (done: number) =>
    input.onProgress({ done, all: items.length, bytes: sent, allBytes })
  for (const [index, item] of items.entries()) {
    const { video, file } = item
    const { path } = video
    const before = sent
    const onChunk = (bytes: number) => {
      sent += bytes
      tell(index)
    }
    try {
      const isNew = await importVideo(deps, { ...input, item, onChunk })
      if (isNew.videoId === undefined) result.there++
      else {
        result.imported++
        result.bytes += isNew.bytes
        result.notes.push(...video.notes.map((sentence) => ({ path, sentence })))
      }
      result.problems.push(...isNew.problems.map((sentence) => ({ path, sentence })))
    } catch (error) {
      result.problems.push({ path, sentence: explain(deps, error) })
    }
    sent = before + (file?.bytes ?? 0)
    tell(index + 1)
  }
}

async function recordImport(
  db: Database,
  { source, viewer, result }: Import & { result: ImportResult },
): Promise<void> {
  const { imported, there, problems, cause } = result
  const target = { kind: 'member', id: viewer.id, name: viewer.username } as const
  const counts = `${countOf(imported, 'video')} imported, ${there} there before`
  const end = cause === undefined ? '' : ' It ended early.'
  const reason = `From ${source}: ${counts}, ${countOf(problems.length, 'problem')}.${end}`
  await inTransaction(db, (transaction) =>
    insertAuditEntry(transaction, { actor: null, action: 'member.import', target, reason }),
  )
}

/** Finds the files of the videos. Adds imported videos and problems to `result`. */
async function listItems(
  deps: ImportDeps,
  input: Import & { result: ImportResult },
): Promise<Item[]> {
  const { db } = deps
  const { source, viewer, library, result } = input
  const { maxVideoBytes } = await findUploadLimits(deps)
  const items: Item[] = []
  for (const video of library.videos) {
    const { path } = video
    const known = await findImportedVideo(db, { userId: viewer.id, source, sourceId: video.id })
    if (known?.state === 'done') {
      result.there++
      continue
    }
    if (known?.state === 'published') {
      items.push({ video, known, file: undefined })
      continue
    }
    try {
      const file = await video.findFile()
      if (file.bytes > maxVideoBytes) {
        throw new AppError('too-large', `The file is larger than ${formatBytes(maxVideoBytes)}.`)
      }
      items.push({ video, file, known })
    } catch (error) {
      result.problems.push({ path, sentence: explain(deps, error) })
    }
  }
  return items
}

/**
 * @returns why one video cannot come
 * @throws the error if it concerns all videos
 */
function explain({ disk }: ImportDeps, cause: unknown): string {
  const error = explainUnreadable(cause, disk)
  if (error instanceof AppError && error.kind !== 'no-space') return error.message
  throw error
}

type OneImport = Omit<Import, 'library'> &
  Pick<ImportListeners, 'onFetched' | 'onLink'> & {
    item: Item
    onChunk: (bytes: number) => void
  }

type OpenImport = OneImport & { file: FileHandle; bytes: number }

/** @returns no video id if the owner already had the file */
async function importVideo(
  deps: ImportDeps,
  input: OneImport,
): Promise<{ videoId: number | undefined; bytes: number; problems: string[] }> {
  const { item, isDryRun } = input
  const { video } = item
  if (item.known?.state === 'published') {
    const { videoId } = item.known
    if (isDryRun) return { videoId: videoId ?? 0, bytes: 0, problems: [] }
    return { ...(await finishImport(deps, { ...input, video, imported: item.known })), bytes: 0 }
  }
  if (!item.file) throw new AppError('not-found', 'The file is missing.')
  if (isDryRun && item.file.isMade) return { videoId: 0, bytes: item.file.bytes, problems: [] }
  const file = await item.file.open(input.onFetched)
  try {
    const { size: bytes } = await file.stat()
    if (!item.known && (await isOwnCopy(deps.db, { ...input, file, bytes }))) {
      return { videoId: undefined, bytes, problems: [] }
    }
    if (isDryRun) return { videoId: 0, bytes, problems: [] }
    const { imported, problems } = await sendImported(deps, { ...input, file, bytes })
    const finished = await finishImport(deps, { ...input, video, imported })
    return { ...finished, bytes, problems: [...problems, ...finished.problems] }
  } finally {
    await file.close()
  }
}

/** Marks the import of an existing file as done, so that a later import skips it even if that video is deleted. */
async function isOwnCopy(db: Database, input: OpenImport): Promise<boolean> {
  const { viewer, file, bytes: fileSize, isDryRun } = input
  const hashes = await hashSampledChunks(file, fileSize)
  const same = await findSameVideo(db, { file: { fileSize, hashes }, viewer })
  if (!same?.isOwn) return false
  if (isDryRun) return true
  const row = { ...rowOf(input), state: 'done', uploadId: null, videoId: same.videoId } as const
  await inTransaction(db, (transaction) => insertImportedVideo(transaction, row))
  return true
}

function rowOf({ item, viewer, source }: OneImport) {
  const { video, file } = item
  const at = video.publishedAt ?? file?.changedAt ?? new Date()
  return {
    ...{ userId: viewer.id, source, sourceId: video.id, viewCount: video.views },
    publishedAt: timestamp(at.getTime() > Date.now() ? new Date() : at),
  }
}

async function sendImported(
  deps: ImportDeps,
  input: OpenImport,
): Promise<{ imported: ImportedVideo; problems: string[] }> {
  const { db } = deps
  const { item, viewer, source, file, bytes: fileSize, onChunk } = input
  const problems: string[] = []
  const { video } = item
  const { id, uploadId } = await chooseUpload(db, input)
  failpoint('import.noted')
  const sent = { file, fileSize, fileName: video.fileName, metadata: video.details }
  const before = await describe(file)
  const requireSame = async () => {
    if ((await describe(file)) !== before) throw new FileChangedError()
  }
  const addThumbnail = async () => {
    const added = await addPicture(deps, { video, uploadId, viewer })
    problems.push(...added.problems)
    return added.thumbnailUrl
  }
  try {
    await sendFile(deps, { ...sent, viewer, uploadId, requireSame, addThumbnail, onChunk })
  } catch (cause) {
    const error = explainUnreadable(cause, deps.disk)
    if (error instanceof AppError && !['no-space', 'busy', 'too-many'].includes(error.kind)) {
      const upload = await findUpload(db, { id: uploadId, userId: viewer.id })
      if (upload) await cancelUpload(deps, { uploadId, viewer })
      await inTransaction(db, (transaction) => deleteUnpublishedImport(transaction, id))
    }
    throw error
  }
  failpoint('import.published')
  const imported = await findImportedVideo(db, { userId: viewer.id, source, sourceId: video.id })
  if (!imported) throw new Error('The row of an import went away.')
  return { imported, problems }
}

async function describe(file: FileHandle): Promise<string> {
  const { size, mtimeNs } = await file.stat({ bigint: true })
  return `${size} ${mtimeNs}`
}

/** Continues the upload of an interrupted import unless it has expired. */
async function chooseUpload(
  db: Database,
  input: OneImport,
): Promise<{ id: number; uploadId: string }> {
  const { known } = input.item
  const uploadId = randomBytes(16).toString('hex')
  if (!known) {
    const row = { ...rowOf(input), state: 'sending', uploadId, videoId: null } as const
    const id = await inTransaction(db, (transaction) => insertImportedVideo(transaction, row))
    return { id, uploadId }
  }
  const { id, uploadId: before } = known
  const key = { id: before ?? '', userId: input.viewer.id }
  const state = (await findUpload(db, key))?.state
  if (before !== null && state !== 'expired' && state !== 'failed') return { id, uploadId: before }
  await inTransaction(db, (transaction) =>
    updateImportedVideo(transaction, { id, change: { uploadId } }),
  )
  return { id, uploadId }
}
