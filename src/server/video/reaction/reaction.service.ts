import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  bucketSecondsOf,
  encodeCounts,
  REACTION_KINDS,
  REACTIONS_PER_VIDEO_MAX,
  TOO_MANY_REACTIONS,
} from '#shared/reactions.ts'
import type { React, Reacted, ReactedNow, Reactions } from '#shared/schemas/reaction.schemas.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import {
  areDropped,
  changeCount,
  countOwnReactions,
  deleteSomeReactionsOf,
  findReaction,
  listMostReacted,
  listReactionCounts,
  type Place,
  upsertReaction,
} from './reaction.queries.ts'

/** Returns counts without names, a few kilobytes at most. See docs/decisions/0073-reactions.md. */
export async function readReactions(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Reactions> {
  const video = await requireVideoOwner(db, input)
  const bucketSeconds = bucketSecondsOf(video.duration)
  const rows = await listReactionCounts(db, video.id)
  const length = Math.ceil(video.duration / bucketSeconds)
  const told = REACTION_KINDS.map((kind) => {
    const sums = new Array<number>(length).fill(0)
    for (const row of rows) {
      const at = Math.floor(row.second / bucketSeconds)
      const before = sums[at]
      // The recording may have become shorter since the reaction.
      if (before !== undefined) sums[at] = before + Math.max(0, row[kind])
    }
    return [kind, encodeCounts(sums)] as const
  })
  return { bucketSeconds, counts: Object.fromEntries(told.filter(([, text]) => text !== '')) }
}

export async function readOwnReactions(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Reacted> {
  await requireVideoOwner(db, { id, viewer })
  return { count: await countOwnReactions(db, { videoId: id, userId: viewer.id }) }
}

/**
 * Stores one reaction per member and second; another one in the same second replaces it.
 * @throws `forbidden` if reactions are off, `conflict` until the length is known and just after the
 * recording has changed, `invalid` after the end, `unprocessable` beyond 30, `too-many`
 * beyond 60 new ones in an hour, with those that were taken back
 */
export async function react(
  { db, live, limits }: Pick<AppDeps, 'db' | 'live' | 'limits'>,
  input: React & { viewer: Viewer },
): Promise<ReactedNow> {
  const { id: videoId, viewer, second, kind } = input
  const place = { videoId, userId: viewer.id, second }
  if (await wouldBeNew(db, place)) await limits.reactions.count(`${videoId} ${viewer.id}`)
  const reacted = await writeQuietly(db, async (transaction) => {
    const video = await requireVideoOwner(transaction, { id: videoId, viewer })
    if (video.allowsReactions === 0) {
      throw new AppError('forbidden', 'Reactions are turned off for this video.')
    }
    if (video.duration === 0) {
      throw new AppError('conflict', 'This video is not prepared yet. React once it plays.')
    }
    if (second > video.duration) {
      throw new AppError('invalid', 'This second is past the end of the video.')
    }
    await requireNoDrop(transaction, videoId)
    const before = await findReaction(transaction, place)
    const count = await countOwnReactions(transaction, place)
    if (before === kind) return { count, replaced: kind }
    if (!before && count >= REACTIONS_PER_VIDEO_MAX) {
      throw new AppError('unprocessable', TOO_MANY_REACTIONS)
    }
    await upsertReaction(transaction, { ...place, kind })
    const size = bucketSecondsOf(video.duration)
    const bucket = { videoId, second: second - (second % size) }
    if (before) await changeCount(transaction, { ...bucket, kind: before, by: -1 })
    await changeCount(transaction, { ...bucket, kind, by: 1 })
    return before ? { count, replaced: before } : { count: count + 1, replaced: null }
  })
  if (reacted.replaced === null) live.videos.announceReaction(videoId, [kind, second])
  return reacted
}

async function wouldBeNew(db: Database, place: Place): Promise<boolean> {
  if (await findReaction(db, place)) return false
  return (await countOwnReactions(db, place)) < REACTIONS_PER_VIDEO_MAX
}

/** Reactions that are being deleted are no longer in the counts. */
async function requireNoDrop(db: Database, videoId: number): Promise<void> {
  if (!(await areDropped(db, videoId))) return
  throw new AppError('conflict', 'The recording has just changed. Please try again in a moment.')
}

/**
 * Deletes all reactions of the viewer to a video.
 * @throws `conflict` shortly after the recording has changed
 */
export async function takeBackReactions(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Reacted> {
  await requireVideoOwner(db, { id, viewer })
  await requireNoDrop(db, id)
  await deleteSomeReactionsOf(db, { userId: viewer.id, videoId: id })
  return { count: 0 }
}

/** Returns the seconds with the most reactions, for the moments of a video. */
export async function findReactedSeconds(
  db: Database,
  { videoId, durationSeconds }: { videoId: number; durationSeconds: number },
): Promise<{ atSeconds: number; weight: number }[]> {
  const rows = await listMostReacted(db, videoId)
  const middle = Math.floor(bucketSecondsOf(durationSeconds) / 2)
  const most = rows[0]?.count ?? 1
  return rows
    .filter(({ count }) => count >= most / 4)
    .map(({ second, count }) => ({
      atSeconds: second + middle,
      weight: Math.min(1, count / Math.max(most, 4)),
    }))
}
