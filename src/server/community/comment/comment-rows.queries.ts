import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { likeOf } from '#server/video/like/like.queries.ts'
import type { Reply } from '#shared/schemas/comment.schemas.ts'
import { isVisibleComment } from '../writing/writing.access.ts'

export type Asking = { viewer: Viewer | undefined }

export function selectComments(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.userId')
    .select([
      'comments.id',
      'comments.videoId',
      'comments.clipId',
      'comments.postId',
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
    .select(likeOf('comment', viewer).as('myRating'))
    .where(isVisibleComment(viewer))
}

type CommentSelection = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number]

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
