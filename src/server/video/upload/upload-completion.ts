import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from '#server/platform/cluster/locks.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { sizeOf, syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { type MeasuredFile, measureFile } from '#server/platform/files/file-hash.ts'
import { mediaUrl, SOURCE_FILE, StoreError, storeKey } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { CompleteUpload } from '#shared/schemas/upload.schemas.ts'
import { nameForStore } from '../media/made-files.ts'
import type { NewMediaFile } from '../media/media-file.queries.ts'
import { workWasKilled } from '../media/redraw-picture.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  MediaKilledError,
  UnplayableSourceError,
} from '../processing/media-errors.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { cleanTextTracks } from './embedded-captions.ts'
import { replaceLink, watchSource } from './linked-source.ts'
import { requireUpload, uploadExpired } from './upload.access.ts'
import { findUpload, listReceivedChunks, moveUpload, updatePrepared } from './upload.queries.ts'
import {
  gatherUpload,
  hasThumbnail,
  putUploadedFiles,
  removeOtherThumbnails,
  removeStoredChunks,
  removeUploadFiles,
} from './upload-files.ts'
import { withUploadLock } from './upload-lock.ts'
import { type Prepared, publishUpload } from './upload-publishing.ts'

type Deps = Pick<AppDeps, 'db' | 'disk' | 'media' | 'deadline' | 'live'> & {
  jobs: Pick<AppDeps['jobs'], 'wake'>
}

/** For probing, copying 500 MB to a slow disk, and a poster. */
const PREPARE_TIMEOUT_MS = 120_000

const THUMBNAIL_NAME_LENGTH = 'thumbnail-000000000000.jpg'.length

const underWay = new Map<string, Promise<number>>()

/**
 * Idempotent: returns the existing video, or waits for a running completion.
 * @returns video id
 * @throws `conflict` naming missing chunks, `invalid` for a foreign thumbnail, `unprocessable` for
 * an unplayable file, `gone`, `no-space`. See docs/decisions/0007-uploads-finish-file-by-file.md.
 */
export async function completeUpload(
  deps: Deps,
  input: CompleteUpload & { viewer: Viewer },
): Promise<number> {
  const finishing = await withUploadLock(deps.db, input.uploadId, async () => {
    const upload = await requireUpload(deps, { id: input.uploadId, viewer: input.viewer })
    if (upload.state === 'receiving') await beginFinishing(deps, { upload, ...input })
    return { work: finishOnce(deps, upload) }
  })
  return finishing.work
}

export async function resumeFinishing(
  deps: Deps,
  { id, userId }: Pick<UploadRow, 'id' | 'userId'>,
): Promise<void> {
  const finishing = await withUploadLock(deps.db, id, async () => {
    const upload = await findUpload(deps.db, { id, userId })
    return { work: upload?.state === 'finalizing' ? finishOnce(deps, upload) : undefined }
  })
  await finishing.work
}

function finishOnce(deps: Deps, upload: Pick<UploadRow, 'id' | 'userId'>): Promise<number> {
  const { id } = upload
  const running = underWay.get(id)
  if (running) return running
  const work = finishInTurn(deps, upload).finally(() => underWay.delete(id))
  underWay.set(id, work)
  return work
}

/** Other nodes may complete it, even while this one loses its lock. */
function finishInTurn(deps: Deps, { id, userId }: Pick<UploadRow, 'id' | 'userId'>) {
  return withLock(deps.db, `finish:${id}`, async () => {
    const upload = await findUpload(deps.db, { id, userId })
    if (upload?.state !== 'finalizing') return requireVideo(upload)
    return finish(deps, upload).catch(async (error) => {
      const now = await findUpload(deps.db, { id, userId })
      if (now?.state === 'completed') return requireVideo(now)
      throw error
    })
  })
}

function requireVideo(upload: UploadRow | undefined): number {
  if (upload?.state === 'completed' && upload.videoId !== null) return upload.videoId
  if (upload?.state === 'completed') {
    throw new AppError('gone', 'The video of this upload was deleted.')
  }
  if (upload?.state === 'failed') throw new AppError('unprocessable', upload.failure ?? '')
  if (upload?.state !== 'receiving') throw uploadExpired()
  throw new AppError('conflict', 'This upload could not be finished. Please try again.')
}

async function beginFinishing(
  { db, disk, media }: Deps,
  input: { upload: UploadRow; thumbnailUrl?: string | null | undefined },
): Promise<void> {
  const { upload } = input
  const thumbnail = input.thumbnailUrl ? thumbnailFile(upload, input.thumbnailUrl) : undefined
  const folder = disk.uploadFolder(upload.id)
  const file = { uploadId: upload.id, name: thumbnail ?? '' }
  if (input.thumbnailUrl && !(thumbnail && (await hasThumbnail({ disk, media }, file)))) {
    throw new AppError('invalid', 'The thumbnailUrl was not issued for this upload.')
  }
  const received = new Set(await listReceivedChunks(db, upload.id))
  const all = Array.from({ length: upload.chunkCount }, (_, index) => index)
  const missing = all.filter((index) => !received.has(index))
  if (missing.length > 0) throw new AppError('conflict', `Missing chunks: ${missing.join(', ')}`)
  // A remote store may have the rest.
  const size = media.remote ? upload.fileSize : await sizeOf(join(folder, SOURCE_FILE))
  if (size !== upload.fileSize) {
    throw new AppError('conflict', 'The stored file is incomplete. Please upload it again.')
  }
  upload.thumbnailUrl = input.thumbnailUrl ?? null
  const change = { thumbnailUrl: upload.thumbnailUrl }
  await moveUpload(db, { id: upload.id, from: 'receiving', to: 'finalizing', change })
  failpoint('complete.begun')
}

/** Undefined for a thumbnail of another upload. */
function thumbnailFile({ mediaKey }: UploadRow, url: string): string | undefined {
  const [prefix, name] = [url.slice(0, -THUMBNAIL_NAME_LENGTH), url.slice(-THUMBNAIL_NAME_LENGTH)]
  const known = prefix === mediaUrl(mediaKey, '') && /^thumbnail-[0-9a-f]{12}\.jpg$/.test(name)
  return known ? name : undefined
}

/** Repeatable: the next start resumes after a crash. */
async function finish(deps: Deps, upload: UploadRow): Promise<number> {
  const { db, media } = deps
  let prepared: Prepared
  try {
    prepared = await prepareAndPut(deps, upload)
  } catch (error) {
    throw await settleFailure(deps, { upload, error })
  }
  const files = await listFiles(deps, { upload, prepared })
  const { videoId, notified } = await inTransaction(db, (transaction) =>
    publishUpload(transaction, { upload, prepared, files }),
  )
  failpoint('complete.published')
  await removeStoredChunks(media, upload.id)
  deps.live.announce(notified)
  deps.jobs.wake()
  return videoId
}

async function prepareAndPut(deps: Deps, upload: UploadRow): Promise<Prepared> {
  if (upload.prepared) {
    const prepared = JSON.parse(upload.prepared) as Prepared
    const names = prepared.names ?? null
    // Another node may have prepared the upload: then this folder may be incomplete, and the store
    // has complete files only.
    const areHere = names === null || !deps.media.remote
    if (await putUploadedFiles(deps, { upload, names, areHere })) return prepared
  }
  const prepared = await prepareFiles(deps, upload)
  const names = prepared.names ?? null
  if (await putUploadedFiles(deps, { upload, names, areHere: true })) return prepared
  throw new Error('The files of an upload went away while it was finished.')
}

async function prepareFiles(deps: Deps, upload: UploadRow): Promise<Prepared> {
  const folder = deps.disk.uploadFolder(upload.id)
  const sourcePath = join(folder, SOURCE_FILE)
  const thumbnail = upload.thumbnailUrl ? thumbnailFile(upload, upload.thumbnailUrl) : undefined
  await gatherUpload(deps, { upload, thumbnail })
  const requireUnchanged = await watchSource(sourcePath)
  const { probe, ...made } = await runMediaTask(
    { kind: 'prepare', sourcePath, outputFolder: folder },
    { timeoutMs: PREPARE_TIMEOUT_MS, signal: deps.deadline, memberId: upload.userId },
  )
  if (!made.videoFile) await replaceLink(folder)
  await requireUnchanged()
  const captions = await cleanTextTracks({
    ...{ folder, texts: made.texts, memberId: upload.userId },
    keepsNames: upload.isAnonymous === 0,
  })
  const stored = await nameForStore(folder, [
    ...captions.map(({ file }) => ({ name: file, kind: 'captions' as const })),
    ...(made.videoFile ? [{ name: made.videoFile, kind: 'video' as const }] : []),
    ...(made.posterFile ? [{ name: made.posterFile, kind: 'picture' as const }] : []),
  ])
  const videoFile = made.videoFile && stored.nameOf(made.videoFile)
  const posterFile = made.posterFile && stored.nameOf(made.posterFile)
  for (const { name } of stored.files) await syncFile(join(folder, name))
  await removeOtherThumbnails(deps, { uploadId: upload.id, name: thumbnail })
  await syncFolder(folder)
  failpoint('complete.files-made')
  const texts = captions.map((one) => ({ ...one, file: stored.nameOf(one.file) }))
  const pictures = thumbnail ?? posterFile
  const wanted = new Set([videoFile ?? SOURCE_FILE, pictures, ...texts.map(({ file }) => file)])
  const files: MeasuredFile[] = stored.files.filter(({ name }) => wanted.has(name))
  // Uploaded files keep their names: every attempt stores equal bytes.
  for (const name of await readdir(folder)) {
    const isSent = name === SOURCE_FILE || name === thumbnail
    if (isSent && wanted.has(name)) files.push(await measureFile(folder, name))
  }
  const prepared: Prepared = {
    videoFile,
    posterFile,
    captions: texts,
    names: files.map(({ name }) => name),
    source: files.find(({ name }) => name === SOURCE_FILE),
    hashes: Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])),
    duration: Math.round(probe.durationSeconds),
    width: probe.width,
    height: probe.height,
    storageBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    soundLanguage: probe.soundLanguage,
  }
  await updatePrepared(deps.db, { id: upload.id, prepared: JSON.stringify(prepared) })
  failpoint('complete.prepared')
  return prepared
}

async function listFiles(
  { media }: Deps,
  { upload, prepared }: { upload: UploadRow; prepared: Prepared },
): Promise<NewMediaFile[]> {
  const { mediaKey, thumbnailUrl } = upload
  const thumbnail = thumbnailUrl?.slice(mediaUrl(mediaKey, '').length) ?? null
  const named = [
    { name: prepared.videoFile, kind: 'video' as const },
    { name: thumbnail ?? prepared.posterFile, kind: 'picture' as const },
    ...(prepared.captions ?? []).map(({ file }) => ({ name: file, kind: 'captions' as const })),
  ]
  const files: NewMediaFile[] = []
  for (const { name, kind } of named) {
    const state = name ? await media.stat(storeKey(mediaKey, name)) : undefined
    const sha256 = (name && prepared.hashes?.[name]) || null
    if (name && state?.bytes) files.push({ name, kind, bytes: state.bytes, sha256 })
  }
  return files
}

/** @returns the error to throw */
async function settleFailure(
  { db, disk, media }: Deps,
  input: { upload: UploadRow; error: unknown },
): Promise<unknown> {
  const { upload, error } = input
  const { id } = upload
  // Stays 'finalizing' for the next call.
  if (error instanceof MediaKilledError) return workWasKilled(error)
  if (error instanceof StoreError) return error
  if (error instanceof UnplayableSourceError || error instanceof MediaFailedError) {
    const change = { failure: error.message }
    await moveUpload(db, { id, from: 'finalizing', to: 'failed', change })
    await removeUploadFiles({ disk, media }, id)
    return new AppError('unprocessable', error.message)
  }
  if (error instanceof MediaInterruptedError) {
    // Stays 'finalizing' for the next start.
    return new AppError('busy', 'The server is restarting. Please try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }
  await moveUpload(db, { id, from: 'finalizing', to: 'receiving' })
  return error
}
