import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { isDiskFull, isFailedWrite } from '#server/platform/db/errors.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { findUploadLimits } from '#server/platform/site/site.service.ts'
import { readContainer } from '#shared/container-facts/read-container.ts'
import type { InboxRule } from '#shared/schemas/inbox.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import {
  MediaFailedError,
  MediaKilledError,
  UnplayableSourceError,
} from '../processing/media-errors.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { FileChangedError } from '../upload/local-file.ts'
import { findSameVideo } from '../upload/same-file.queries.ts'
import { findUploader } from '../upload/uploader.queries.ts'
import { isCutOff } from './cut-off.ts'
import {
  deleteItemAt,
  findItemAt,
  listSameContent,
  saveItem,
  savePicture,
  updateItem,
} from './inbox.queries.ts'
import {
  contentKeyOf,
  type Found,
  findFile,
  fullPath,
  isGone,
  isUnnamable,
  openFound,
  toReadable,
} from './inbox-files.ts'
import { findOwnerOf, type Proposal, proposeItem } from './inbox-item.ts'

export type ExamineDeps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'closing'>

const GLANCE_TIMEOUT_MS = 60_000

const CUT_OFF = 'The file ends before its video does. It may still be being copied.'
const UNNAMED = 'Its name is not UTF-8. Give the file another name.'
const NOT_ALLOWED = 'The site may not read this file.'
const UNREADABLE = 'The file could not be read.'

/** The message is shown to the owner and to admins. */
class UnusableFileError extends Error {}

type Examined = { found: Found; rules: readonly InboxRule[] }

type Outcome = {
  /** The owner of a new item that waits for a decision. */
  userId?: number
  /** The file could not be used, and its row keeps the decision of its owner. */
  isKept?: boolean
}

/** Error codes of disks and shares after which another attempt may succeed. */
const PASSING = ['EIO', 'ESTALE', 'ETIMEDOUT', 'EHOSTDOWN']

export const isPassing = (error: unknown): boolean =>
  PASSING.includes(String((error as NodeJS.ErrnoException).code))

/**
 * Adds an item for a file, or stores why the file cannot be used. A file that was renamed keeps its item.
 * @throws FileChangedError, MediaInterruptedError, MediaKilledError and errors that may pass: the caller tries again;
 * `no-space`
 */
export async function examineFile(deps: ExamineDeps, input: Examined): Promise<Outcome> {
  try {
    return await examine(deps, input)
  } catch (error) {
    const problem = explain(error)
    if (problem === undefined) throw error
    return noteUnusable(deps, { ...input, problem })
  }
}

function explain(error: unknown): string | undefined {
  if (error instanceof UnusableFileError || error instanceof UnplayableSourceError) {
    return error.message
  }
  if (error instanceof MediaKilledError || isPassing(error)) return undefined
  if (error instanceof MediaFailedError) return error.message
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return NOT_ALLOWED
  return syscall !== undefined && !isDiskFull(error) && !isFailedWrite(error)
    ? UNREADABLE
    : undefined
}

async function examine(deps: ExamineDeps, { found, rules }: Examined): Promise<Outcome> {
  const { db } = deps
  const { fileSize, identity } = found
  const { maxVideoBytes } = await findUploadLimits(deps)
  if (isUnnamable(found)) throw new UnusableFileError(UNNAMED)
  if (fileSize === 0) throw new UnusableFileError('The file is empty.')
  if (fileSize > maxVideoBytes) {
    throw new UnusableFileError(`The file is larger than ${formatBytes(maxVideoBytes)}.`)
  }
  const file = await openFound(found)
  const { content, container } = await (async () => {
    const readable = toReadable(file, fileSize)
    if (await isCutOff(readable)) throw new UnusableFileError(CUT_OFF)
    const content = await contentKeyOf(file, fileSize)
    return { content, container: await readContainer(readable) }
  })().finally(() => file.close())
  const { contentKey } = content
  const before = await findItemAt(db, found)
  const isSame = before?.contentKey === contentKey
  const isBack = isSame && before.original === 'removed'
  if (isSame && !isBack && before.state !== 'unusable') {
    const change = { identity, problem: null, isMissing: 0, missingSince: null } as const
    await updateItem(db, { id: before.id, change })
    return {}
  }
  const proposal = await proposeItem(db, { found, container, rules })
  if (!proposal) return {}
  if (await moveItem(deps, { found, contentKey, userId: proposal.userId })) return {}
  const glance = await glanceAt(deps, found)
  const same = await findDuplicate(deps, { found, content, userId: proposal.userId })
  // A recording that was removed before waits for a decision, also if a rule would publish it.
  const publishes = proposal.publishes && !isBack
  const state = await storeItem(deps, {
    ...{ found, contentKey, glance, same },
    proposal: { ...proposal, publishes },
  })
  return state === 'new' ? { userId: proposal.userId } : {}
}

/** Follows a file that was renamed within its folder of `INBOX`. */
async function moveItem(
  { db }: ExamineDeps,
  input: { found: Found; contentKey: string; userId: number },
): Promise<boolean> {
  const { found, ...content } = input
  const { folder, path, identity } = found
  for (const item of await listSameContent(db, content)) {
    if (item.original === 'removed' || item.folder !== folder || item.path === path) continue
    if (!(await isGone(item))) continue
    await inTransaction(db, async (transaction) => {
      await deleteItemAt(transaction, found)
      const change = { path, identity, isMissing: 0 as const, missingSince: null }
      await updateItem(transaction, { id: item.id, change })
    })
    return true
  }
  return false
}

type Glance = { duration: number; width: number; height: number; jpeg: Uint8Array | undefined }

async function glanceAt({ disk, closing }: ExamineDeps, found: Found): Promise<Glance> {
  const outputPath = join(disk.folders.work, `inbox-${randomUUID()}.jpg`)
  try {
    const { durationSeconds, width, height, hasPicture } = await runMediaTask(
      { kind: 'glance', sourcePath: fullPath(found), outputPath },
      { timeoutMs: GLANCE_TIMEOUT_MS, signal: closing },
    )
    // The task opened the path by itself. Another file may have replaced this one since.
    await (await openFound(found)).close()
    const jpeg = hasPicture ? await readFile(outputPath) : undefined
    return { duration: Math.round(durationSeconds), width, height, jpeg }
  } catch (error) {
    const now = await findFile(found)
    throw now?.identity === found.identity ? error : new FileChangedError()
  } finally {
    await rm(outputPath, { force: true })
  }
}

type Duplicate = { duplicateVideoId: number | null; duplicateItemId: number | null }

async function findDuplicate(
  { db }: ExamineDeps,
  input: { found: Found; content: { contentKey: string; hashes: string[] }; userId: number },
): Promise<Duplicate> {
  const { found, content, userId } = input
  const viewer = await findUploader(db, userId)
  const file = { fileSize: found.fileSize, hashes: content.hashes }
  const video = viewer && (await findSameVideo(db, { file, viewer }))
  if (video) return { duplicateVideoId: video.videoId, duplicateItemId: null }
  const { contentKey } = content
  const items = await listSameContent(db, { contentKey, userId })
  const item = items.find(({ path, folder }) => path !== found.path || folder !== found.folder)
  return { duplicateVideoId: item?.videoId ?? null, duplicateItemId: item?.id ?? null }
}

async function storeItem(
  { db }: ExamineDeps,
  input: {
    found: Found
    contentKey: string
    proposal: Proposal
    glance: Glance
    same: Duplicate
  },
): Promise<'new' | 'queued'> {
  const { found, contentKey, proposal, glance, same } = input
  const { jpeg, ...facts } = glance
  const { userId, game, details, recordedAt, publishes } = proposal
  const isDuplicate = same.duplicateItemId !== null || same.duplicateVideoId !== null
  const state = publishes && !isDuplicate ? 'queued' : 'new'
  await inTransaction(db, async (transaction) => {
    const itemId = await saveItem(transaction, {
      ...pickFile(found),
      ...facts,
      ...same,
      ...{ userId, contentKey, game, problem: null },
      recordedAt: timestamp(recordedAt),
      state,
      details: JSON.stringify(details),
    })
    await savePicture(transaction, { itemId, jpeg })
  })
  return state
}

const pickFile = ({ folder, path, identity, fileSize }: Found) => ({
  folder,
  path,
  identity,
  fileSize,
})

/** Stores that a file cannot be used, after an unexpected error. */
export function noteUnreadable(deps: ExamineDeps, input: Examined): Promise<Outcome> {
  return noteUnusable(deps, { ...input, problem: UNREADABLE })
}

/**
 * Keeps the decision about a known path. The identity stays too, because publishing and deleting compare the file with the
 * content that was examined.
 */
async function noteUnusable(
  { db }: ExamineDeps,
  { found, rules, problem }: Examined & { problem: string },
): Promise<Outcome> {
  const owner = await findOwnerOf(db, { path: found.path, rules })
  return inTransaction(db, async (transaction) => {
    const before = await findItemAt(transaction, found)
    if (before && before.state !== 'unusable') {
      await updateItem(transaction, { id: before.id, change: { problem } })
      return { isKept: true }
    }
    const itemId = await saveItem(transaction, {
      ...pickFile(found),
      ...{ userId: owner?.ownerId ?? null, contentKey: null, state: 'unusable', problem },
      ...{ game: null, duration: 0, width: null, height: null, details: null },
      ...{ duplicateVideoId: null, duplicateItemId: null },
      recordedAt: timestamp(found.modifiedAt),
    })
    await savePicture(transaction, { itemId, jpeg: undefined })
    return {}
  })
}
