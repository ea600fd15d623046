import { randomBytes } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { basename } from 'node:path/posix'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { isBusy, isDiskFull, isFailedWrite } from '#server/platform/db/errors.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { StoreError } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { MediaInterruptedError } from '../processing/media-errors.ts'
import { chunkCountOf } from '../upload/chunk-store.ts'
import { findUpload, listReceivedChunks } from '../upload/upload.queries.ts'
import { cancelUpload, openUpload } from '../upload/upload.service.ts'
import { receiveChunk } from '../upload/upload-chunk.service.ts'
import { completeUpload } from '../upload/upload-completion.ts'
import {
  deletePictures,
  findItem,
  findOwner,
  listLeavingOriginals,
  listQueuedItems,
  updateItem,
} from './inbox.queries.ts'
import {
  FileChangedError,
  fullPath,
  openFound,
  readChunkOf,
  requireSame,
} from './inbox-files.ts'
import { findInboxSettings, updateInboxSettings } from './inbox-settings.queries.ts'

export type PublishDeps = Pick<
  AppDeps,
  'config' | 'db' | 'disk' | 'media' | 'deadline' | 'closing' | 'jobs' | 'live'
> & { log: { warn: (details: object, message: string) => void } }

const AT_A_TIME = 100
const NO_OWNER = 'Its owner may not publish videos at the moment.'
const NOT_ALLOWED = 'The site may not read this file.'
const NOT_PUBLISHED = 'The file could not be published.'
const FULL = 'There is no room left on the server.'
const UNREADABLE = 'The file could not be read.'
const CANCELLED = 'Publishing was cancelled.'

/**
 * Publishes queued items one after the other, like uploads of their owners.
 * @throws what keeps all of them from being published for a while, such as `no-space`
 */
export async function publishQueued(deps: PublishDeps): Promise<void> {
  try {
    await publishAll(deps)
    await noteProblem(deps.db, null)
  } catch (error) {
    const known = error instanceof AppError || error instanceof StoreError
    await noteProblem(deps.db, known ? error.message : isDiskFull(error) ? FULL : null)
    throw error
  }
}

async function noteProblem(db: Database, problem: string | null): Promise<void> {
  if ((await findInboxSettings(db)).problem === problem) return
  await inTransaction(db, (transaction) => updateInboxSettings(transaction, { problem }))
}

async function publishAll(deps: PublishDeps): Promise<void> {
  for (;;) {
    const items = await listQueuedItems(deps.db, AT_A_TIME)
    if (items.length === 0) return
    for (const { id } of items) {
      if (deps.closing.aborted || (await findInboxSettings(deps.db)).isPaused) return
      const item = await findItem(deps.db, id)
      if (item?.state === 'queued') await publishItem(deps, item)
    }
  }
}

async function publishItem(deps: PublishDeps, item: InboxItemRow): Promise<void> {
  const { db } = deps
  const { id } = item
  const where = { state: 'queued' } as const
  try {
    const viewer = item.userId === null ? undefined : await findOwner(db, item.userId)
    if (!viewer) throw new AppError('forbidden', NO_OWNER)
    const videoId = await sendFile(deps, { item, viewer })
    if (videoId === undefined) return
    const { originals } = await findInboxSettings(db)
    await inTransaction(db, async (transaction) => {
      const original = originals === 'move' ? 'leaving' : 'there'
      const done = { state: 'published', uploadId: null, problem: null } as const
      const change = { ...done, videoId, original } as const
      await updateItem(transaction, { id, where, change })
      await deletePictures(transaction, [id])
    })
    deps.live.announce([viewer.id])
  } catch (error) {
    if (error instanceof FileChangedError) {
      // It goes on once the file has settled, if its content is the same.
      await updateItem(db, { id, where, change: { uploadId: null, identity: '' } })
      return
    }
    if (passes(error)) throw error
    const problem = explain(error)
    if (problem === NOT_PUBLISHED) deps.log.warn({ err: error, item: id }, 'an inbox item failed')
    await updateItem(db, { id, where, change: { state: 'new', uploadId: null, problem } })
  }
}

/** It concerns all items. */
function passes(error: unknown): boolean {
  if (error instanceof StoreError || error instanceof MediaInterruptedError) return true
  if (error instanceof AppError) return ['no-space', 'busy', 'too-many'].includes(error.kind)
  return isDiskFull(error) || isFailedWrite(error) || isBusy(error)
}

function explain(error: unknown): string {
  if (error instanceof AppError) return error.message
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return NOT_ALLOWED
  return syscall === 'read' || code === 'EIO' ? UNREADABLE : NOT_PUBLISHED
}

/** @returns undefined when the site stops meanwhile */
async function sendFile(
  deps: PublishDeps,
  { item, viewer }: { item: InboxItemRow; viewer: Viewer },
): Promise<number | undefined> {
  const uploadId = await chooseUpload(deps, { item, viewer })
  const upload = await findUpload(deps.db, { id: uploadId, userId: viewer.id })
  if (!upload || upload.state === 'receiving') {
    const isSent = await sendChunks(deps, { item, viewer, uploadId })
    if (!isSent) return undefined
  }
  return completeUpload(deps, { uploadId, viewer })
}

/** Keeps the upload of an interrupted attempt. */
async function chooseUpload(
  { db }: PublishDeps,
  { item, viewer }: { item: InboxItemRow; viewer: Viewer },
): Promise<string> {
  const { id, uploadId } = item
  const upload = uploadId && (await findUpload(db, { id: uploadId, userId: viewer.id }))
  if (uploadId && (!upload || upload.state !== 'expired')) return uploadId
  if (upload) throw new AppError('gone', CANCELLED)
  const chosen = randomBytes(16).toString('hex')
  const where = { state: 'queued', uploadId } as const
  if (await updateItem(db, { id, where, change: { uploadId: chosen } })) return chosen
  throw new AppError('busy', 'This item was changed meanwhile.')
}

async function sendChunks(
  deps: PublishDeps,
  { item, viewer, uploadId }: { item: InboxItemRow; viewer: Viewer; uploadId: string },
): Promise<boolean> {
  const { fileSize, identity } = item
  const file = await openFound(item)
  try {
    const upload = await findUpload(deps.db, { id: uploadId, userId: viewer.id })
    if (!upload) {
      const metadata = JSON.parse(item.details ?? '{}') as UploadDetails
      const fileName = shownFileName(basename(item.path))
      const inboxUploadId = uploadId
      await openUpload(deps, { fileName, fileSize, metadata, viewer, inboxUploadId })
    }
    const received = new Set(await listReceivedChunks(deps.db, uploadId))
    const totalChunks = chunkCountOf(fileSize)
    for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex += 1) {
      if (received.has(chunkIndex)) continue
      if (deps.closing.aborted) return false
      const bytes = await readChunkOf(file, { fileSize, chunkIndex })
      await receiveChunk(deps, { uploadId, chunkIndex, totalChunks, bytes, viewer })
    }
    await requireSame(file, identity)
    return true
  } catch (error) {
    if (error instanceof FileChangedError) await cancelUpload(deps, { uploadId, viewer })
    throw error
  } finally {
    await file.close()
  }
}

/** Deletes originals of published items where the settings say so. */
export async function settleOriginals(deps: PublishDeps): Promise<void> {
  const { db } = deps
  let afterId = 0
  for (;;) {
    const items = await listLeavingOriginals(db, { limit: AT_A_TIME, afterId })
    const last = items.at(-1)
    if (!last) return
    afterId = last.id
    const { whenDeleted } = await findInboxSettings(db)
    for (const item of items) {
      if (deps.closing.aborted) return
      const isDeleted = item.videoId === null
      const leaves = isDeleted ? whenDeleted === 'delete' : item.original === 'leaving'
      const isRemoved = leaves && item.original !== 'removed' && (await removeOriginal(item))
      const original = isRemoved ? 'removed' : item.original === 'leaving' ? 'there' : item.original
      const state = isDeleted ? 'dismissed' : 'published'
      await updateItem(db, { id: item.id, where: { state: 'published' }, change: { state, original } })
    }
  }
}

/** False if it is another file by now, or may not be deleted. */
async function removeOriginal(item: InboxItemRow): Promise<boolean> {
  try {
    await (await openFound(item)).close()
    await unlink(fullPath(item))
    return true
  } catch {
    return false
  }
}
