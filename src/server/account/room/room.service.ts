import type { Config } from '#server/platform/config.ts'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Held } from '#shared/schemas/held.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { estimateClip, estimateCut, estimateMontage } from './estimates.ts'
import {
  findClipSize,
  findHolder,
  listHeldParts,
  listPlannedClips,
  listPlannedVideos,
  sumReservedBytes,
  sumStoredBytes,
  sumUnpublishedBytes,
} from './room.queries.ts'

type Quota = { config: Config; userId: number }
/** @param freeBytes null for files on the disk */
type Room = Quota & { bytes: number; freeBytes: number | null }

/** See docs/decisions/0055-who-makes-it-pays.md. */
export async function readHeld(db: Database, { config, userId }: Quota): Promise<Held> {
  const parts = await listHeldParts(db, userId)
  const holder = await findHolder(db, userId)
  return {
    quotaBytes: holder?.quotaBytes ?? config.userQuotaBytes ?? null,
    heldBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    plannedBytes: await sumPlannedBytes(db, userId),
    parts,
  }
}

/**
 * Checks quota, store and disk, including open uploads and planned work. Call in the transaction that counts
 * the bytes: concurrent writers must not share the last ones.
 * @param input.bytes negative when more is freed
 * @throws `too-large` over quota, `no-space`
 */
export async function requireRoom(db: DatabaseTransaction, input: Room): Promise<void> {
  await requireQuota(db, input)
  const { config, bytes, freeBytes } = input
  if (freeBytes === null) return
  const reserved = (await sumReservedBytes(db)) + (await sumPlannedBytes(db))
  const limit = config.media.limitBytes
  const isFull = limit !== undefined && (await sumStoredBytes(db)) + reserved + bytes > limit
  if (isFull || freeBytes - reserved < bytes) {
    throw new AppError('no-space', 'The server has no room left for a file of this size.')
  }
}

/**
 * Checks the disk for data that is written to the database and counts for no quota.
 * @throws `no-space` when too little is free beside open uploads and planned work
 */
export async function requireDiskRoom(
  db: Database,
  { bytes, freeBytes }: { bytes: number; freeBytes: number },
): Promise<void> {
  const reserved = (await sumReservedBytes(db)) + (await sumPlannedBytes(db))
  if (freeBytes - reserved >= bytes) return
  throw new AppError('no-space', 'The server has too little room on its disk for this.')
}

async function requireQuota(
  db: DatabaseTransaction,
  { config, userId, bytes }: Quota & { bytes: number },
): Promise<void> {
  const holder = await findHolder(db, userId)
  const quota = holder?.quotaBytes ?? config.userQuotaBytes
  if (quota === undefined) return
  const used = (holder?.storageBytes ?? 0) + (await sumPlannedBytes(db, userId))
  if (used + bytes <= quota) return
  throw new AppError(
    'too-large',
    `This file would take you over your storage quota of ${formatBytes(quota)}.`,
  )
}

async function sumPlannedBytes(db: Database, userId?: number): Promise<number> {
  let bytes = 0
  for (const row of await listPlannedVideos(db)) {
    if (userId === undefined || row.userId === userId) bytes += estimateVideo(row)
  }
  for (const clip of await listPlannedClips(db, userId)) bytes += estimateFiles(clip)
  return bytes
}

/** Planned, or counted by an interrupted attempt. */
export async function estimatePlanned(db: Database, videoId: number): Promise<number> {
  const planned = await listPlannedVideos(db)
  const own = planned.filter(({ id }) => id === videoId)
  const earlier = await sumUnpublishedBytes(db, { videoId })
  return own.reduce((sum, row) => sum + estimateVideo(row), earlier)
}

export async function estimatePlannedClip(
  db: Database,
  clip: { id: number; videoId: number; prefix: string },
): Promise<number> {
  return (await estimateClipFiles(db, clip.id)) + (await sumUnpublishedBytes(db, clip))
}

type PlannedVideo = Awaited<ReturnType<typeof listPlannedVideos>>[number]

function estimateVideo(row: PlannedVideo): number {
  if (row.storageBytes > 0) return 0
  const { kind, duration: seconds, width, height } = row
  const source = { seconds: row.sourceDuration ?? 0, bytes: row.sourceBytes ?? 0 }
  const size = { width: width ?? 0, height: height ?? 0 }
  return kind === 'cut' ? estimateCut({ seconds, source }) : estimateMontage({ seconds, ...size })
}

export async function estimateClipFiles(db: Database, clipId: number): Promise<number> {
  const clip = await findClipSize(db, clipId)
  return clip ? estimateFiles(clip) : 0
}

function estimateFiles(clip: Awaited<ReturnType<typeof listPlannedClips>>[number]): number {
  const source = { seconds: clip.duration, bytes: clip.storageBytes }
  return estimateClip({ seconds: clip.endSeconds - clip.startSeconds, source })
}
