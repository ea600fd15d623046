import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { isBusy, isDiskFull, isFailedWrite, isUniqueViolation } from '#server/platform/db/errors.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { StoreError } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { MediaInterruptedError } from '../processing/media-errors.ts'
import { isSourceLinked, linkSource } from '../upload/linked-source.ts'
import { FileChangedError } from '../upload/local-file.ts'
import { sendFile } from '../upload/send-file.ts'
import { findUpload } from '../upload/upload.queries.ts'
import { cancelUpload } from '../upload/upload.service.ts'
import { completeUpload } from '../upload/upload-completion.ts'
import { findUploader } from '../upload/uploader.queries.ts'
import { deletePictures, findItem, listQueuedItems, updateItem } from './inbox.queries.ts'
import { fullPath, openFound, requireSame } from './inbox-files.ts'
import {
  findInboxSettings,
  type StoredInboxSettings,
  updateInboxSettings,
} from './inbox-settings.queries.ts'

export type PublishDeps = Pick<
  AppDeps,
  'config' | 'db' | 'disk' | 'media' | 'deadline' | 'closing' | 'jobs' | 'live'
> & { log: { warn: (details: object, message: string) => void } }

const AT_A_TIME = 100
const ATTEMPTS_MAX = 5
const NO_OWNER = 'Its owner may not publish videos at the moment.'
const NOT_ALLOWED = 'The site may not read this file.'
const NOT_PUBLISHED = 'The file could not be published.'
const FULL = 'There is no room left on the server.'
const UNREADABLE = 'The file could not be read.'

/** Number of attempts per item that ended with an error that may pass. Is kept in memory. */
export type Attempts = Map<number, number>

/**
 * Publishes queued items one after the other, as uploads of their owners.
 * @throws errors that concern all items, such as `no-space`
 */
export async function publishQueued(
  deps: PublishDeps,
  attempts: Attempts = new Map(),
): Promise<void> {
  try {
    await publishAll(deps, attempts)
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

async function publishAll(deps: PublishDeps, attempts: Attempts): Promise<void> {
  const { folders } = deps.config.inbox
  for (;;) {
    const items = await listQueuedItems(deps.db, { folders, limit: AT_A_TIME })
    if (items.length === 0) return
    for (const { id } of items) {
      const { isPaused, originals } = await findInboxSettings(deps.db)
      if (deps.closing.aborted || isPaused) return
      const item = await findItem(deps.db, id)
      if (item?.state === 'queued') await publishItem(deps, { item, originals, attempts })
    }
  }
}

async function publishItem(
  deps: PublishDeps,
  input: { item: InboxItemRow; originals: StoredInboxSettings['originals']; attempts: Attempts },
): Promise<void> {
  const { db } = deps
  const { item, originals, attempts } = input
  const { id } = item
  let where: { state: 'queued'; uploadId: string | null } = {
    state: 'queued',
    uploadId: item.uploadId,
  }
  try {
    const viewer = item.userId === null ? undefined : await findUploader(db, item.userId)
    if (!viewer) throw new AppError('forbidden', NO_OWNER)
    const uploadId = await chooseUpload(deps, { item, viewer })
    where = { state: 'queued', uploadId }
    const videoId = await sendItem(deps, { item, viewer, uploadId, isLinked: originals === 'link' })
    if (videoId === undefined) return
    attempts.delete(id)
    await inTransaction(db, async (transaction) => {
      const original = originals === 'move' ? 'leaving' : 'there'
      const done = { state: 'published', uploadId: null, problem: null } as const
      const change = { ...done, videoId, original } as const
      // Another file may have taken the path, and with it the row.
      if (await updateItem(transaction, { id, where, change })) {
        await deletePictures(transaction, [id])
      }
    })
    deps.live.announce([viewer.id])
  } catch (error) {
    if (error instanceof FileChangedError) {
      // The item continues once the file no longer changes, if its content is the same.
      await updateItem(db, { id, where, change: { uploadId: null, identity: '' } })
      return
    }
    if (passes(error)) {
      const tried = (attempts.get(id) ?? 0) + 1
      attempts.set(id, tried)
      if (concernsAll(error) || deps.closing.aborted) throw error
      // The item moves to the end of the queue, up to the limit of attempts.
      if (tried < ATTEMPTS_MAX) {
        await updateItem(db, { id, where, change: {} })
        throw error
      }
    }
    if (await isFinishedElsewhere(db, { item, uploadId: where.uploadId, error })) throw error
    attempts.delete(id)
    const problem = explain(error)
    if (problem === NOT_PUBLISHED) deps.log.warn({ err: error, item: id }, 'an inbox item failed')
    await updateItem(db, { id, where, change: { state: 'new', uploadId: null, problem } })
    if (item.userId !== null) deps.live.announce([item.userId])
  }
}

/** Returns whether a node that has lost its lock completes the upload. The next attempt then finds the video. */
async function isFinishedElsewhere(
  db: Database,
  input: { item: InboxItemRow; uploadId: string | null; error: unknown },
): Promise<boolean> {
  const { item, uploadId, error } = input
  if (uploadId === null || item.userId === null) return false
  if (error instanceof AppError && error.kind === 'gone') return false
  const upload = await findUpload(db, { id: uploadId, userId: item.userId })
  return upload?.state === 'finalizing' || upload?.state === 'completed'
}

/** Returns whether a later attempt may succeed. */
function passes(error: unknown): boolean {
  if (error instanceof StoreError || error instanceof MediaInterruptedError) return true
  if (error instanceof AppError) return ['no-space', 'busy', 'too-many'].includes(error.kind)
  // Another node opened the same upload, or stored the same chunk.
  if (isUniqueViolation(error)) return true
  return isDiskFull(error) || isFailedWrite(error) || isBusy(error)
}

function concernsAll(error: unknown): boolean {
  return !(error instanceof AppError) || error.kind === 'no-space'
}

function explain(error: unknown): string {
  if (error instanceof AppError) return error.message
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return NOT_ALLOWED
  return syscall === 'read' || code === 'EIO' ? UNREADABLE : NOT_PUBLISHED
}

/** @returns undefined if the site stops before the upload is complete */
async function sendItem(
  deps: PublishDeps,
  input: { item: InboxItemRow; viewer: Viewer; uploadId: string; isLinked: boolean },
): Promise<number | undefined> {
  const { item, viewer, uploadId } = input
  const { db, closing } = deps
  const { id, path, fileSize, identity, details } = item
  const upload = await findUpload(db, { id: uploadId, userId: viewer.id })
  // All bytes are stored, so the file may be gone.
  if (upload && upload.state !== 'receiving') return completeUpload(deps, { uploadId, viewer })
  const file = await openFound(item)
  const metadata = JSON.parse(details ?? '{}') as UploadDetails
  try {
    return await sendFile(deps, {
      ...{ file, fileSize, fileName: basename(path), metadata, viewer, uploadId },
      requireSame: () => requireSame(file, identity),
      // The owner may have taken the item back before there was an upload to cancel.
      async onOpened() {
        if ((await findItem(db, id))?.state !== 'queued') throw new FileChangedError()
      },
      linkSource: ({ hasChunks }) => chooseSource(deps, { ...input, hasChunks }),
      signal: closing,
    })
  } catch (error) {
    if (error instanceof FileChangedError) await cancelUpload(deps, { uploadId, viewer })
    throw error
  } finally {
    await file.close()
  }
}

/** Returns the upload of an interrupted attempt, or a new one. */
async function chooseUpload(
  { db }: PublishDeps,
  { item, viewer }: { item: InboxItemRow; viewer: Viewer },
): Promise<string> {
  const { id, uploadId } = item
  const upload =
    uploadId === null ? undefined : await findUpload(db, { id: uploadId, userId: viewer.id })
  // Uploads expire after a day.
  if (uploadId !== null && upload?.state !== 'expired') return uploadId
  const chosen = randomBytes(16).toString('hex')
  const where = { state: 'queued', uploadId } as const
  if (await updateItem(db, { id, where, change: { uploadId: chosen } })) return chosen
  throw new AppError('busy', 'This item was changed meanwhile.')
}

/**
 * Links the upload to the original if the setting says so. A remote store gets copies.
 * @throws FileChangedError if the setting has changed since the upload began, which starts it again
 */
async function chooseSource(
  { disk, media }: PublishDeps,
  input: { item: InboxItemRow; uploadId: string; isLinked: boolean; hasChunks: boolean },
): Promise<boolean> {
  const { item, uploadId, isLinked, hasChunks } = input
  const isLink = await isSourceLinked(disk, uploadId)
  const isWanted = isLinked && !media.remote
  if (isLink === isWanted) return isLink
  if (hasChunks || isLink) throw new FileChangedError()
  const path = fullPath(item)
  const folder = await realpath(dirname(path))
  return linkSource(disk, { uploadId, path: join(folder, basename(path)) })
}
