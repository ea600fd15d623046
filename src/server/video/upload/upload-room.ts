import type { Config } from '#server/platform/config.ts'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { formatBytes } from '#shared/text/format.ts'
import {
  findUserQuota,
  listPlannedVideos,
  sumReservedBytes,
  sumStoredBytes,
  sumUserBytes,
} from './upload.queries.ts'

/** What a file takes beside its pictures. */
const LEAST_BYTES = 8 * 1024 * 1024
/** What a second of 1080p may take at most. */
const BYTES_PER_SECOND = 1_200_000
const LARGEST_PIXELS = 1920 * 1080

type Length = { seconds: number }

/** Bytes that a cut may take. @param source its length and bytes */
export function estimateCut({ seconds, source }: Length & { source: Length & { bytes: number } }) {
  const share = Math.min(1, seconds / Math.max(source.seconds, 1))
  return Math.ceil(source.bytes * share) + LEAST_BYTES
}

/** Bytes that a montage may take. */
export function estimateMontage(input: Length & { width: number; height: number }): number {
  const share = Math.min(1, (input.width * input.height) / LARGEST_PIXELS)
  return Math.ceil(input.seconds * BYTES_PER_SECOND * share) + LEAST_BYTES
}

/** Bytes that cuts and montages may take that are not made yet, of one member or all. */
async function sumPlannedBytes(db: Database, userId?: number): Promise<number> {
  let bytes = 0
  for (const row of await listPlannedVideos(db, userId)) {
    const { kind, duration: seconds, width, height } = row
    const source = { seconds: row.sourceDuration ?? 0, bytes: row.sourceBytes ?? 0 }
    const size = { width: width ?? 0, height: height ?? 0 }
    bytes +=
      kind === 'cut' ? estimateCut({ seconds, source }) : estimateMontage({ seconds, ...size })
  }
  return bytes
}

/**
 * Whether a file fits into what its owner may store, into what the store elsewhere may hold, and onto the disk beside all
 * open uploads, cuts and montages. It is asked in the transaction that opens it, so that two at once are not both let in
 * for the same last bytes.
 * @param input.freeBytes what the disk said before that
 * @throws AppError `too-large` over the quota, `no-space`
 */
export async function requireFreeSpace(
  db: DatabaseTransaction,
  input: { config: Config; fileSize: number; userId: number; freeBytes: number },
): Promise<void> {
  const { config, fileSize, userId, freeBytes } = input
  const quota = (await findUserQuota(db, userId)) ?? config.userQuotaBytes
  if (quota !== undefined) {
    const used = (await sumUserBytes(db, userId)) + (await sumPlannedBytes(db, userId))
    if (used + fileSize > quota) {
      throw new AppError(
        'too-large',
        `This file would take you over your storage quota of ${formatBytes(quota)}.`,
      )
    }
  }
  const reserved = (await sumReservedBytes(db)) + (await sumPlannedBytes(db))
  const limit = config.media.limitBytes
  const isFull = limit !== undefined && (await sumStoredBytes(db)) + reserved + fileSize > limit
  if (isFull || freeBytes - reserved < fileSize) {
    throw new AppError('no-space', 'The server has no room left for a file of this size.')
  }
}
