import { sql } from 'kysely'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { MoveTime } from '#shared/cut-times.ts'
import { bucketSecondsOf, REACTION_KINDS } from '#shared/reactions.ts'
import {
  hasMoreReactionsThan,
  listReactionCounts,
  type ReactionCounts,
  recount,
  replaceReactionCounts,
} from './reaction.queries.ts'
import { dropReactionsOn } from './reaction-drop.service.ts'

/** Moving so many takes some 20 ms. If there are more, only the counts are moved. */
export const MOVED_ROWS_MAX = 2000

/** Consecutive seconds that move by the same amount; they are deleted if `by` is undefined. */
type Run = { from: number; to: number; by: number | undefined }

/**
 * Moves the reactions in the transaction of the cut. If a video has more than 2,000, their rows are
 * deleted and only the counts stay, so members can no longer take them back.
 */
export async function moveReactions(
  db: DatabaseTransaction,
  input: { videoId: number; move: MoveTime; durationSeconds: number },
): Promise<void> {
  const { videoId, move } = input
  if (await hasMoreReactionsThan(db, { videoId, count: MOVED_ROWS_MAX })) {
    return moveCounts(db, input)
  }
  const rows = await db
    .selectFrom('videoReactions')
    .select('second')
    .distinct()
    .where('videoId', '=', videoId)
    .orderBy('second')
    .execute()
  if (rows.length === 0) return
  for (const run of findRuns(rows, move)) await moveRun(db, videoId, run)
  // Moved seconds are stored as negative numbers, so that they do not collide with unmoved ones.
  await sql`
    UPDATE "videoReactions" SET "second" = -1 - "second"
    WHERE "videoId" = ${videoId} AND "second" < 0`.execute(db)
  await recount(db, input)
}

async function moveCounts(
  db: DatabaseTransaction,
  input: { videoId: number; move: MoveTime; durationSeconds: number },
): Promise<void> {
  const { videoId, move, durationSeconds } = input
  const size = bucketSecondsOf(durationSeconds)
  const sums = new Map<number, ReactionCounts>()
  for (const row of await listReactionCounts(db, videoId)) {
    const { seconds, isKept } = move(row.second)
    if (!isKept) continue
    const second = Math.floor(seconds / size) * size
    const sum = sums.get(second)
    if (sum) for (const kind of REACTION_KINDS) sum[kind] += row[kind]
    else sums.set(second, { ...row, second })
  }
  await dropReactionsOn(db, videoId)
  await replaceReactionCounts(db, { videoId, counts: [...sums.values()] })
}

function findRuns(rows: { second: number }[], move: MoveTime): Run[] {
  const runs: Run[] = []
  for (const { second } of rows) {
    const { seconds, isKept } = move(second)
    const by = isKept ? Math.floor(seconds) - second : undefined
    const last = runs.at(-1)
    if (last?.by === by && last !== undefined) last.to = second
    else runs.push({ from: second, to: second, by })
  }
  return runs
}

async function moveRun(
  db: DatabaseTransaction,
  videoId: number,
  { from, to, by }: Run,
): Promise<void> {
  const isOfRun = sql`"videoReactions"."videoId" = ${videoId} AND "videoReactions"."second"`
  if (by === undefined) {
    await sql`DELETE FROM "videoReactions" WHERE ${isOfRun} BETWEEN ${from} AND ${to}`.execute(db)
    return
  }
  if (by === 0) return
  // The last second of the run before may have the same place, moved or unmoved. Seconds ahead of
  // this run have yet to move.
  const place = from + by
  const places = by < 0 ? [-1 - place, place] : [-1 - place]
  await sql`
    DELETE FROM "videoReactions" WHERE ${isOfRun} = ${from} AND EXISTS (
      SELECT 1 FROM "videoReactions" AS "moved" WHERE "moved"."videoId" = ${videoId}
        AND "moved"."userId" = "videoReactions"."userId" AND "moved"."second" IN (${sql.join(places)})
    )`.execute(db)
  await sql`
    UPDATE "videoReactions" SET "second" = ${-1 - by} - "second"
    WHERE ${isOfRun} BETWEEN ${from} AND ${to}`.execute(db)
}
