import { type RawBuilder, sql } from 'kysely'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { findPlace } from '#server/platform/long-work/long-work.queries.ts'
import {
  bucketSecondsOf,
  REACTION_KINDS,
  REACTIONS_PER_VIDEO_MAX,
  type ReactionKind,
} from '#shared/reactions.ts'

export type Place = { videoId: number; userId: number; second: number }
export type ReactionCounts = Record<ReactionKind, number> & { second: number }

const selectCounts = compiledOnce((db, { videoId }: { videoId: number }) =>
  db
    .selectFrom('reactionCounts')
    .innerJoin('videos', 'videos.id', 'reactionCounts.videoId')
    .select('second')
    .select([...REACTION_KINDS])
    .where('reactionCounts.videoId', '=', videoId)
    .where('videos.allowsReactions', '=', 1)
    .orderBy('second')
    .compile(),
)

/** Returns at most 600 rows. */
export function listReactionCounts(db: Database, videoId: number): Promise<ReactionCounts[]> {
  return selectCounts(db, { videoId })
}

/** Buckets with fewer reactions do not count as moments. */
const LEAST_REACTIONS = 2
const REACTED_MAX = 100

const sumOfKinds = sql<number>`(${sql.join(
  REACTION_KINDS.map((kind) => sql.ref(kind)),
  sql` + `,
)})`

/** SQL adds up the counts, because reading the 6 counts of 600 buckets takes longer. */
const selectMostReacted = compiledOnce((db, { videoId }: { videoId: number }) =>
  db
    .selectFrom('reactionCounts')
    .innerJoin('videos', 'videos.id', 'reactionCounts.videoId')
    .select('second')
    .select(sumOfKinds.as('count'))
    .where('reactionCounts.videoId', '=', videoId)
    .where('videos.allowsReactions', '=', 1)
    .where(sumOfKinds, '>=', sql.lit(LEAST_REACTIONS))
    .orderBy('count', 'desc')
    .orderBy('second')
    .limit(sql.lit(REACTED_MAX))
    .compile(),
)

/** Returns at most 100 buckets, those with the most reactions first. */
export function listMostReacted(
  db: Database,
  videoId: number,
): Promise<{ second: number; count: number }[]> {
  return selectMostReacted(db, { videoId })
}

export async function countOwnReactions(
  db: Database,
  { videoId, userId }: { videoId: number; userId: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('videoReactions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('videoId', '=', videoId)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findReaction(db: Database, place: Place): Promise<ReactionKind | undefined> {
  const row = await db
    .selectFrom('videoReactions')
    .select('kind')
    .where('videoId', '=', place.videoId)
    .where('userId', '=', place.userId)
    .where('second', '=', place.second)
    .executeTakeFirst()
  return row?.kind
}

/** Replaces an earlier reaction in the same second. */
export async function upsertReaction(
  db: DatabaseTransaction,
  row: Place & { kind: ReactionKind },
): Promise<void> {
  const { kind } = row
  await db
    .insertInto('videoReactions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'userId', 'second']).doUpdateSet({ kind }),
    )
    .execute()
}

type Change = { videoId: number; second: number; kind: ReactionKind; by: number }

/** `second` is the first second of its bucket. */
export async function changeCount(
  db: DatabaseTransaction,
  { videoId, second, kind, by }: Change,
): Promise<void> {
  const column = sql.ref(kind)
  await sql`
    INSERT INTO "reactionCounts" ("videoId", "second", ${column})
    VALUES (${videoId}, ${second}, ${by})
    ON CONFLICT ("videoId", "second") DO UPDATE
    SET ${column} = "reactionCounts".${column} + ${by}`.execute(db)
}

/** The kind of the long work that deletes the reactions to an earlier recording. */
export const DROPPING = 'drop-reactions'

/** Returns true while `dropReactions` deletes rows, which would include new ones. */
export async function areDropped(db: Database, targetId: number): Promise<boolean> {
  return (await findPlace(db, { kind: DROPPING, targetId })) !== undefined
}

/**
 * Deletes at most 30 reactions of a member and takes them out of the counts.
 * @returns how many were deleted
 */
export async function deleteSomeReactionsOf(
  db: Database,
  { userId, videoId }: { userId: number; videoId?: number },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    let query = transaction
      .selectFrom('videoReactions')
      .innerJoin('videos', 'videos.id', 'videoReactions.videoId')
      .select(['videoReactions.videoId', 'second', 'kind', 'duration'])
      .where('videoReactions.userId', '=', userId)
      .limit(REACTIONS_PER_VIDEO_MAX)
    if (videoId !== undefined) query = query.where('videoReactions.videoId', '=', videoId)
    const rows = await query.execute()
    const dropped = new Set<number>()
    for (const targetId of new Set(rows.map((row) => row.videoId))) {
      if (await areDropped(transaction, targetId)) dropped.add(targetId)
    }
    for (const { duration, ...row } of rows) {
      await transaction
        .deleteFrom('videoReactions')
        .where('videoId', '=', row.videoId)
        .where('userId', '=', userId)
        .where('second', '=', row.second)
        .execute()
      // The counts were already deleted with the recording.
      if (dropped.has(row.videoId)) continue
      const size = bucketSecondsOf(duration)
      await changeCount(transaction, { ...row, second: row.second - (row.second % size), by: -1 })
    }
    return rows.length
  })
}

export async function deleteReactionCounts(
  db: DatabaseTransaction,
  videoId: number,
): Promise<void> {
  await db.deleteFrom('reactionCounts').where('videoId', '=', videoId).execute()
}

export async function replaceReactionCounts(
  db: DatabaseTransaction,
  { videoId, counts }: { videoId: number; counts: ReactionCounts[] },
): Promise<void> {
  await deleteReactionCounts(db, videoId)
  if (counts.length === 0) return
  const rows = counts.map((one) => ({ videoId, ...one }))
  await db.insertInto('reactionCounts').values(rows).execute()
}

export async function hasMoreReactionsThan(
  db: DatabaseTransaction,
  { videoId, count }: { videoId: number; count: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('videoReactions')
    .select('second')
    .where('videoId', '=', videoId)
    .orderBy('userId')
    .orderBy('second')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the reactions to a video again. */
export async function recount(
  db: DatabaseTransaction,
  { videoId, durationSeconds }: { videoId: number; durationSeconds: number },
): Promise<void> {
  await deleteReactionCounts(db, videoId)
  const size = bucketSecondsOf(durationSeconds)
  const first = sql`"second" - "second" % ${sql.lit(size)}`
  const columns = REACTION_KINDS.map((kind) => sql.ref(kind))
  const sums: RawBuilder<unknown>[] = REACTION_KINDS.map(
    (kind) => sql`sum(CASE WHEN "kind" = ${sql.lit(kind)} THEN 1 ELSE 0 END)`,
  )
  await sql`
    INSERT INTO "reactionCounts" ("videoId", "second", ${sql.join(columns)})
    SELECT "videoId", ${first}, ${sql.join(sums)} FROM "videoReactions"
    WHERE "videoId" = ${videoId} GROUP BY "videoId", ${first}`.execute(db)
}
