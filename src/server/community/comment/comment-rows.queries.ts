import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Reply } from '#shared/schemas/comment.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { isVisibleComment } from './comment.access.ts'

export type Asking = { viewer: Viewer | undefined }

/** The comments that exist for `viewer`, with their authors. */
export function selectComments(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.userId')
    .select([
      'comments.id',
      'comments.videoId',
      'comments.clipId',
      'comments.userId',
      'comments.content',
      'comments.likeCount',
      'comments.dislikeCount',
      'comments.parentId',
      'comments.createdAt',
      'comments.editedAt',
      'comments.isPinned',
      'comments.isHearted',
      'comments.withheld',
      'users.username',
      'users.displayName',
      'users.avatarUrl',
    ])
    .select(likeOfComment(viewer).as('myRating'))
    .where(isVisibleComment(viewer))
}

type CommentSelection = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number]

/** A row as it is answered. */
export function toReply(row: CommentSelection): Reply {
  const { username, displayName, avatarUrl, ...fields } = row
  const known = row.userId !== null && username !== null && displayName !== null
  return {
    ...fields,
    isPinned: row.isPinned === 1,
    isHearted: row.isHearted === 1,
    user: known ? { id: row.userId as number, username, displayName, avatarUrl } : null,
  }
}

function likeOfComment(viewer: Viewer | undefined): RawBuilder<Like | null> {
  if (!viewer) return sql`NULL`
  return sql`(
    SELECT CASE WHEN "likes"."isLike" = 1 THEN 'like' ELSE 'dislike' END FROM "likes"
    WHERE "likes"."userId" = ${viewer.id} AND "likes"."commentId" = "comments"."id"
  )`
}
