import { deleteSome } from '#server/platform/db/batches.ts'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { beginWork, type LongWork } from '#server/platform/long-work/long-work.service.ts'
import { DROPPING, deleteReactionCounts } from './reaction.queries.ts'

const KEY = ['videoId', 'userId', 'second'] as const
const ROWS_AT_A_TIME = 200

export const dropReactions: LongWork = {
  kind: DROPPING,
  async step(db, { targetId: value }) {
    const input = { table: 'videoReactions', key: KEY, column: 'videoId', value }
    const count = await deleteSome(db, { ...input, most: ROWS_AT_A_TIME })
    return { reachedId: count < ROWS_AT_A_TIME ? null : 0, notified: [] }
  },
}

/** Deletes all reactions to a video, whose times do not fit another recording. */
export async function dropReactionsOn(db: DatabaseTransaction, videoId: number): Promise<void> {
  await deleteReactionCounts(db, videoId)
  await beginWork(db, dropReactions, { targetId: videoId })
}
