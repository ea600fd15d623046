import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  bucketSecondsOf,
  encodeCounts,
  REACTION_KINDS,
  REACTIONS_PER_VIDEO_MAX,
} from '#shared/reactions.ts'
import type { React, Reacted, Reactions } from '#shared/schemas/reaction.schemas.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import {
  changeCount,
  countOwnReactions,
  deleteSomeReactionsOf,
  findReaction,
  listReactionCounts,
  upsertReaction,
} from './reaction.queries.ts'
import { areDropped } from './reaction-drop.service.ts'

/** Without names; a few kilobytes, however many there are. See docs/decisions/0073-reactions.md. */
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
      // A recording may have become shorter.
      if (before !== undefined) sums[at] = before + Math.max(0, row[kind])
    }
    return [kind, encodeCounts(sums)] as const
  })
  return { bucketSeconds, counts: Object.fromEntries(told.filter(([, text]) => text !== '')) }
}

/**
 * One of a member per second: a second press replaces it. Visitors read it a second later at the latest.
 * @throws `forbidden` where they are off, `conflict` before the length is known and shortly after another recording, `invalid` after the end, `unprocessable` beyond 30
 */
export async function react(
  { db, live }: { db: Database; live: LiveFeed },
  input: React & { viewer: Viewer },
): Promise<Reacted> {
  const { id: videoId, viewer, second, kind } = input
  const { count, isNew } = await writeQuietly(db, async (transaction) => {
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
    if (await areDropped(transaction, videoId)) {
      const sentence = 'The recording has just changed. Please try again in a moment.'
      throw new AppError('conflict', sentence)
    }
    const place = { videoId, userId: viewer.id, second }
    const before = await findReaction(transaction, place)
    const count = await countOwnReactions(transaction, place)
    if (before === kind) return { count, isNew: false }
    if (!before && count >= REACTIONS_PER_VIDEO_MAX) {
      const most = `${REACTIONS_PER_VIDEO_MAX} times`
      throw new AppError('unprocessable', `You can react to a video at most ${most}.`)
    }
    await upsertReaction(transaction, { ...place, kind })
    const size = bucketSecondsOf(video.duration)
    const bucket = { videoId, second: second - (second % size) }
    if (before) await changeCount(transaction, { ...bucket, kind: before, by: -1 })
    await changeCount(transaction, { ...bucket, kind, by: 1 })
    // A second press in the same second changes the sign, and is not seen as another.
    return { count: before ? count : count + 1, isNew: !before }
  })
  if (isNew) live.videos.announceReaction(videoId, [kind, second])
  return { count }
}

/** All of one's own on a video. */
export async function takeBackReactions(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Reacted> {
  await requireVideoOwner(db, { id, viewer })
  await deleteSomeReactionsOf(db, { userId: viewer.id, videoId: id })
  return { count: 0 }
}

/** Fewer say little. */
const LEAST_REACTIONS = 2
const EVENTS_MAX = 100

/** Seconds with the most reactions, for the moments of a video. */
export async function findReactedSeconds(
  db: Database,
  { videoId, durationSeconds }: { videoId: number; durationSeconds: number },
): Promise<{ atSeconds: number; weight: number }[]> {
  const rows = await listReactionCounts(db, videoId)
  const middle = bucketSecondsOf(durationSeconds) / 2
  const sums = rows
    .map((row) => ({
      second: row.second,
      count: REACTION_KINDS.reduce((sum, kind) => sum + row[kind], 0),
    }))
    .filter(({ count }) => count >= LEAST_REACTIONS)
    .sort((a, b) => b.count - a.count)
    .slice(0, EVENTS_MAX)
  const most = sums[0]?.count ?? 1
  return sums
    .filter(({ count }) => count >= most / 4)
    .map(({ second, count }) => ({
      atSeconds: second + Math.floor(middle),
      weight: Math.min(1, count / Math.max(most, 4)),
    }))
}
