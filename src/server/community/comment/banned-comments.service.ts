/** A ban hides comments, and its end shows what it hid. A member may have very many. */
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Place } from '#server/platform/long-work/long-work.queries.ts'
import {
  beginWork,
  dropWork,
  type LongWork,
  STEP_ROWS,
  type Step,
} from '#server/platform/long-work/long-work.service.ts'
import { HIDING_COMMENTS } from '../writing/writing.access.ts'
import {
  listCommentIdsOf,
  type OtherMark,
  updateBannedComments,
} from './banned-comments.queries.ts'

export const hideComments: LongWork = {
  kind: HIDING_COMMENTS,
  step: (db, place) => changeSome(db, place, { from: null, to: 'banned' }),
}

export const showComments: LongWork = {
  kind: 'show-comments',
  step: (db, place) => changeSome(db, place, { from: 'banned', to: null }),
}

/** Nobody sees them any more, though counts may still have them for some seconds. */
export async function hideCommentsOf(db: DatabaseTransaction, userId: number): Promise<void> {
  await dropWork(db, showComments, userId)
  await beginWork(db, hideComments, { targetId: userId })
}

export async function showCommentsOf(db: DatabaseTransaction, userId: number): Promise<void> {
  await dropWork(db, hideComments, userId)
  await beginWork(db, showComments, { targetId: userId })
}

async function changeSome(
  db: DatabaseTransaction,
  { targetId: userId, reachedId }: Place,
  mark: OtherMark,
): Promise<Step> {
  const ids = await listCommentIdsOf(db, { userId, afterId: reachedId, limit: STEP_ROWS })
  const upToId = ids.at(-1)
  if (upToId === undefined) return { reachedId: null, notified: [] }
  await updateBannedComments(db, { userId, afterId: reachedId, upToId, ...mark })
  return { reachedId: ids.length < STEP_ROWS ? null : upToId, notified: [] }
}
