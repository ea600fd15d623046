import { requireRoom } from '#server/account/room/room.service.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { FetchRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { findUploadLimits, requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { FETCHES_MAX, UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { sampledChunks } from '#shared/sampled-chunks.ts'
import type { Fetch, StartFetch } from '#shared/schemas/fetch.schemas.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { fileNameOfAddress } from '#shared/text/file-name.ts'
import { findSameVideo } from '../upload/same-file.queries.ts'
import { findUpload, listChunks } from '../upload/upload.queries.ts'
import { cancelUpload } from '../upload/upload.service.ts'
import { withDefaults } from '../upload/upload-details.service.ts'
import {
  countOpenFetches,
  deleteFetch,
  findFetch,
  insertFetch,
  listFetches,
  updateFetch,
} from './fetch.queries.ts'
import { probeFile, type WantedFile } from './fetch-file.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline' | 'outgoing' | 'limits'>
type Own = { id: number; viewer: Viewer }

const PROBE_MS = 15_000

export const TURNED_OFF = 'This site does not fetch files from addresses.'

/** Members reach public hosts only; admins also those on the local network that they listed. */
export function wantedFile(
  { url }: Pick<FetchRow, 'url'>,
  { viewer, maxBytes }: { viewer: Viewer; maxBytes: number },
): WantedFile {
  return { url, maxBytes, followsHosts: true, isPublicOnly: !viewer.isAdmin }
}

/**
 * Asks for the first byte, so that most reasons against it show at once, and queues the rest.
 * @throws `forbidden` if it is turned off; `unprocessable` for what is no file; `too-large` over the limit or the
 * quota, `no-space`, `too-many`
 */
export async function startFetch(
  deps: Deps,
  { viewer, url, metadata }: StartFetch & { viewer: Viewer },
): Promise<{ id: number }> {
  const { db, config } = deps
  if (!(await findSiteSettings(db)).fetchesAddresses) throw new AppError('forbidden', TURNED_OFF)
  await deps.limits.fetches.count(`member-${viewer.id}`)
  await requireOpenCategory(db, metadata.category, { field: 'metadata.category' })
  await withDefaults(db, { ...metadata, userId: viewer.id, hadSquad: false })
  await requireFewFetches(db, viewer)
  const { maxVideoBytes: maxBytes } = await findUploadLimits(deps)
  const wanted = wantedFile({ url }, { viewer, maxBytes })
  const size = (await probeFile(deps, wanted, { timeoutMs: PROBE_MS })) ?? null
  const room = { config, bytes: size ?? 1, freeBytes: await deps.disk.freeBytes() }
  const id = await inTransaction(db, async (transaction) => {
    await requireRoom(transaction, { ...room, userId: viewer.id })
    await requireFewFetches(transaction, viewer)
    const row = { userId: viewer.id, url, fileName: fileNameOfAddress(url), size }
    return insertFetch(transaction, { ...row, details: JSON.stringify(metadata) })
  })
  return { id }
}

async function requireFewFetches(db: Database, viewer: Viewer): Promise<void> {
  if ((await countOpenFetches(db, viewer.id)) < FETCHES_MAX) return
  const sentence = `The site is fetching ${FETCHES_MAX} files for you already. Please wait for one of them.`
  throw new AppError('too-many', sentence, { retryAfterSeconds: 60 })
}

export async function listOwnFetches(db: Database, viewer: Viewer): Promise<Fetch[]> {
  const rows = await listFetches(db, viewer.id)
  return Promise.all(rows.map((row) => describe(db, { row, viewer })))
}

async function describe(
  db: Database,
  { row, viewer }: { row: Awaited<ReturnType<typeof listFetches>>[number]; viewer: Viewer },
): Promise<Fetch> {
  const { id, fileName, size, problem, videoId, createdAt, chunksStored } = row
  const arrived = chunksStored * UPLOAD_CHUNK_BYTES
  const isWaiting = row.failures > 0 || row.uploadId === null
  return {
    ...{ id, fileName, size, problem, videoId, createdAt },
    state: row.state === 'queued' ? (isWaiting ? 'waiting' : 'fetching') : row.state,
    host: URL.parse(row.url)?.host ?? '',
    title: (JSON.parse(row.details) as UploadDetails).title,
    bytes: size === null ? arrived : Math.min(arrived, size),
    same: row.state === 'same' ? await findSameAs(db, { row, viewer }) : null,
  }
}

/** Compares the chunks that have come with those of the videos. */
export async function findSameAs(
  db: Database,
  { row: { uploadId, userId }, viewer }: { row: FetchRow; viewer: Viewer },
): Promise<Fetch['same']> {
  const upload = uploadId === null ? undefined : await findUpload(db, { id: uploadId, userId })
  if (!upload) return null
  const wanted = sampledChunks(upload.chunkCount)
  const chunks = await listChunks(db, upload.id)
  const hashes = chunks
    .filter(({ chunkIndex }) => wanted.includes(chunkIndex))
    .map(({ hash }) => Buffer.from(hash).toString('hex'))
  return findSameVideo(db, { file: { fileSize: upload.fileSize, hashes }, viewer })
}

/**
 * Ends it, or removes it from the list.
 * @throws `not-found`, `conflict` if the file has come and becomes a video
 */
export async function cancelFetch(deps: Deps, { id, viewer }: Own): Promise<void> {
  const row = await requireFetch(deps.db, { id, viewer })
  if (row.uploadId !== null && row.state !== 'done') {
    const key = { id: row.uploadId, userId: viewer.id }
    if (await findUpload(deps.db, key)) await cancelUpload(deps, { uploadId: row.uploadId, viewer })
    const state = (await findUpload(deps.db, key))?.state
    if (state === 'finalizing' || state === 'completed') {
      throw new AppError('conflict', 'The file has come already, and becomes a video.')
    }
  }
  await deleteFetch(deps.db, id)
}

/** Tries a file again that did not come. */
export async function retryFetch({ db }: Pick<Deps, 'db'>, own: Own): Promise<void> {
  await requireFetch(db, own)
  const again = { state: 'queued', failures: 0, runAfter: timestamp(), problem: null } as const
  await updateFetch(db, { id: own.id, change: again, where: { states: ['failed'] } })
}

/** Makes a video of a file that the site has already. */
export async function allowSame({ db }: Pick<Deps, 'db'>, own: Own): Promise<void> {
  await requireFetch(db, own)
  const again = { state: 'queued', allowsSame: 1, runAfter: timestamp(), problem: null } as const
  await updateFetch(db, { id: own.id, change: again, where: { states: ['same'] } })
}

async function requireFetch(db: Database, { id, viewer }: Own): Promise<FetchRow> {
  const row = await findFetch(db, id)
  if (row?.userId === viewer.id) return row
  throw new AppError('not-found', 'There is no such file.')
}
