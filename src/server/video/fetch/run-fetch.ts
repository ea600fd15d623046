/** See docs/decisions/0091-files-from-an-address.md. */
import { randomBytes } from 'node:crypto'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { isBusy, isDiskFull, isFailedWrite, isUniqueViolation } from '#server/platform/db/errors.ts'
import type { FetchRow, UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { StoreError } from '#server/platform/files/media-store.ts'
import { findUploadLimits } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { createChunkWriter } from '../upload/chunk-writer.ts'
import { FileChangedError } from '../upload/local-file.ts'
import { findUpload, listReceivedChunks } from '../upload/upload.queries.ts'
import { cancelUpload, openUpload } from '../upload/upload.service.ts'
import { completeUpload } from '../upload/upload-completion.ts'
import { findUploader } from '../upload/uploader.queries.ts'
import { fetchEnded } from './fetch.events.ts'
import { findFetch, updateFetch } from './fetch.queries.ts'
import { findSameAs, wantedFile } from './fetch.service.ts'
import { fetchFile, isInterruption, probeFile, type WantedFile } from './fetch-file.ts'

export type RunDeps = Pick<
  AppDeps,
  'config' | 'db' | 'disk' | 'media' | 'deadline' | 'jobs' | 'live' | 'outgoing'
> & { log: { warn: (details: object, message: string) => void } }

const FAILURES_MAX = 10
const PAUSE_MS = 10_000
const PAUSE_MS_MAX = 10 * 60 * 1000
const NO_OWNER = 'You may not publish videos at the moment.'
const FAILED = 'The file could not be fetched.'
const IS_HERE = 'The site has this recording already.'

type Run = { row: FetchRow; viewer: Viewer; uploadId: string; wanted: WantedFile }

/** Brings one file as far as it goes, and stores the outcome in its row. */
export async function runFetch(
  deps: RunDeps,
  { id, signal }: { id: number; signal: AbortSignal },
): Promise<void> {
  const row = await findFetch(deps.db, id)
  if (row?.state !== 'queued') return
  let where: { states: ['queued']; uploadId: string | null } = {
    ...{ states: ['queued'], uploadId: row.uploadId },
  }
  try {
    const viewer = await findUploader(deps.db, row.userId)
    if (!viewer) throw new AppError('forbidden', NO_OWNER)
    const uploadId = await chooseUpload(deps.db, row)
    where = { ...where, uploadId }
    failpoint('fetch.noted')
    const { maxVideoBytes: maxBytes } = await findUploadLimits(deps)
    const wanted = { ...wantedFile(row, { viewer, maxBytes }), signal }
    await bring(deps, { row: { ...row, uploadId }, viewer, uploadId, wanted })
  } catch (error) {
    if (signal.aborted) return
    await settle(deps, { row: { ...row, uploadId: where.uploadId }, error })
  }
}

/** Returns the upload of an interrupted attempt, or a new one, which is stored before it is opened. */
async function chooseUpload(db: Database, row: FetchRow): Promise<string> {
  const { id, uploadId, userId } = row
  const state =
    uploadId === null ? undefined : (await findUpload(db, { id: uploadId, userId }))?.state
  if (uploadId !== null && state !== 'expired' && state !== 'failed') return uploadId
  const chosen = randomBytes(16).toString('hex')
  const change = { uploadId: chosen, validator: null }
  const where = { states: ['queued' as const], uploadId }
  if (await updateFetch(db, { id, change, where })) return chosen
  throw new AppError('busy', 'This was changed meanwhile.')
}

async function bring(deps: RunDeps, run: Run): Promise<void> {
  const { db } = deps
  const { row, viewer, uploadId } = run
  const { id, userId } = row
  const upload = (await findUpload(db, { id: uploadId, userId })) ?? (await open(deps, run))
  if (upload.state === 'receiving') {
    await receive(deps, { ...run, upload })
    if (row.allowsSame === 0 && (await findSameAs(db, { row, viewer }))) return noteSame(deps, row)
  }
  const videoId = await completeUpload(deps, { uploadId, viewer })
  failpoint('fetch.published')
  const done = { state: 'done', videoId, url: '', validator: null, problem: null } as const
  await updateFetch(db, { id, change: done, where: { states: ['queued'], uploadId } })
  deps.live.announce([userId])
}

/** Reserves the largest size if the server does not say one. */
async function open(deps: RunDeps, { row, viewer, uploadId, wanted }: Run): Promise<UploadRow> {
  const { db } = deps
  const { id, userId, fileName } = row
  const fileSize = row.size ?? (await probeFile(deps, wanted)) ?? wanted.maxBytes
  const metadata = JSON.parse(row.details) as UploadDetails
  await openUpload(deps, { fileName, fileSize, metadata, viewer, inboxUploadId: uploadId })
  const upload = await findUpload(db, { id: uploadId, userId })
  // The member may have cancelled it before there was an upload to cancel.
  if (!upload || (await findFetch(db, id))?.state !== 'queued') {
    await cancelUpload(deps, { uploadId, viewer })
    throw new AppError('gone', 'This was cancelled.')
  }
  return upload
}

async function receive(deps: RunDeps, run: Run & { upload: UploadRow }): Promise<void> {
  const { db } = deps
  const { row, viewer, uploadId, upload, wanted } = run
  const received = await listReceivedChunks(db, uploadId)
  if (received.length === upload.chunkCount) return
  const gap = received.findIndex((chunkIndex, index) => chunkIndex !== index)
  const stored = gap === -1 ? received.length : gap
  const writer = createChunkWriter(deps, { uploadId, viewer, sizeAtMost: upload.fileSize, stored })
  const where = { states: ['queued' as const], uploadId }
  let { validator, size } = row
  await fetchFile(deps, wanted, {
    ...{ at: stored * UPLOAD_CHUNK_BYTES, validator: validator ?? undefined },
    async begin(answer) {
      const known = answer.size ?? size
      if (size !== null && known !== size) throw new FileChangedError()
      if (answer.start === 0) writer.restart()
      const proof = answer.validator ?? null
      if (validator === proof && size === known && row.failures === 0) return
      validator = proof
      size = known
      await updateFetch(db, {
        ...{ id: row.id, where },
        change: { validator, size, failures: 0, problem: null },
      })
    },
    write: (piece) => writer.write(piece),
  })
  await writer.end()
}

async function noteSame(deps: RunDeps, row: FetchRow): Promise<void> {
  await tell(deps, { row, change: { state: 'same', problem: null }, problem: IS_HERE })
}

async function settle(
  deps: RunDeps,
  { row, error }: { row: FetchRow; error: unknown },
): Promise<void> {
  const failures = row.failures + 1
  const isOther = error instanceof AppError && ['conflict', 'gone'].includes(error.kind)
  const canRetry = (isOther || passes(error)) && failures < FAILURES_MAX
  const problem = error instanceof AppError || error instanceof StoreError ? error.message : FAILED
  if (problem === FAILED) deps.log.warn({ err: error, fetch: row.id }, 'a file was not fetched')
  // Other bytes begin a new upload; an interrupted one can be continued for a day.
  const afresh = isOther || !passes(error) ? { uploadId: null, validator: null, size: null } : {}
  if ('uploadId' in afresh) await dropUpload(deps, row)
  if (!canRetry) {
    await tell(deps, { row, change: { ...afresh, state: 'failed', failures, problem }, problem })
    return
  }
  const waitMs = Math.min(PAUSE_MS * 2 ** row.failures, PAUSE_MS_MAX)
  const runAfter = timestamp(new Date(Date.now() + waitMs))
  const change = { ...afresh, failures, runAfter, problem }
  const where = { states: ['queued' as const], uploadId: row.uploadId }
  await updateFetch(deps.db, { id: row.id, change, where })
}

/** Returns whether a later attempt may succeed. */
function passes(error: unknown): boolean {
  if (error instanceof StoreError || isInterruption(error)) return true
  if (error instanceof AppError) return ['no-space', 'busy', 'too-many'].includes(error.kind)
  // Another node fetches the same file.
  if (isUniqueViolation(error)) return true
  return isDiskFull(error) || isFailedWrite(error) || isBusy(error)
}

async function dropUpload(deps: RunDeps, { uploadId, userId }: FetchRow): Promise<void> {
  const viewer = await findUploader(deps.db, userId)
  if (uploadId === null || !viewer) return
  if (!(await findUpload(deps.db, { id: uploadId, userId }))) return
  await cancelUpload(deps, { uploadId, viewer })
}

/** The member may have left the page hours ago. */
async function tell(
  { db, live }: RunDeps,
  { row, change, problem }: { row: FetchRow; change: Partial<FetchRow>; problem: string },
): Promise<void> {
  const { id, uploadId, userId } = row
  const { title } = JSON.parse(row.details) as UploadDetails
  const notified = await inTransaction(db, async (transaction) => {
    const where = { states: ['queued' as const], uploadId }
    const isChanged = await updateFetch(transaction, { id, change, where })
    return isChanged ? fetchEnded.raise({ db: transaction, userId, title, problem }) : []
  })
  live.announce([userId, ...notified.flat()])
}
