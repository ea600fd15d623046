import type { Config } from '#server/platform/config.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
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
  updateComingBytes,
} from './room.queries.ts'

type Quota = { config: Config; userId: number }
/** @param freeBytes what the disk said; null for files that are on it already */
type Room = Quota & { bytes: number; freeBytes: number | null }

/**
 * What a member holds, by part: everything that lies on the disk for them.
 * See docs/decisions/0055-who-makes-it-pays.md.
 */
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
 * Whether so many more bytes may come for a member: into their quota, into what the store elsewhere may hold, and onto the
 * disk beside all open uploads and planned work. Every writer of media asks it, in the transaction that counts the bytes,
 * so that two at once are not both let in for the same last bytes.
 * @param input.bytes fewer than 0 where more goes than comes
 * @throws AppError `too-large` over the quota, `no-space`
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

/**
 * Asks for the bytes of a cut or montage that is made, in the place of what was estimated, and counts them.
 * @throws AppError `too-large`
 */
export async function claimRoom(
  { config, db }: { config: Config; db: Database },
  input: {
    video: { id: number; userId: number }
    files: readonly { bytes: number | null }[]
  },
): Promise<void> {
  const { id: videoId, userId } = input.video
  const bytes = input.files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
  await inTransaction(db, async (transaction) => {
    await updateComingBytes(transaction, { videoId, bytes })
    await requireRoom(transaction, { config, userId, bytes: 0, freeBytes: null })
  })
}

/** Bytes that cuts, montages and files of clips may take that are not made yet, of one member or all. */
async function sumPlannedBytes(db: Database, userId?: number): Promise<number> {
  let bytes = 0
  for (const row of await listPlannedVideos(db)) {
    if (row.storageBytes > 0 || (userId !== undefined && row.userId !== userId)) continue
    const { kind, duration: seconds, width, height } = row
    const source = { seconds: row.sourceDuration ?? 0, bytes: row.sourceBytes ?? 0 }
    const size = { width: width ?? 0, height: height ?? 0 }
    bytes +=
      kind === 'cut' ? estimateCut({ seconds, source }) : estimateMontage({ seconds, ...size })
  }
  for (const clip of await listPlannedClips(db, userId)) bytes += estimateFiles(clip)
  return bytes
}

/** Bytes that the files of a clip may take, of which there is none yet. */
export async function estimateClipFiles(db: Database, clipId: number): Promise<number> {
  const clip = await findClipSize(db, clipId)
  return clip ? estimateFiles(clip) : 0
}

function estimateFiles(clip: Awaited<ReturnType<typeof listPlannedClips>>[number]): number {
  const source = { seconds: clip.duration, bytes: clip.storageBytes }
  return estimateClip({ seconds: clip.endSeconds - clip.startSeconds, source })
}
