import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireClipOwner } from '#server/video/clip/clip.service.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { CommentPlace } from '#shared/schemas/comment.schemas.ts'
import { requirePostOwner } from '../post/post.service.ts'

/** A clip with its video. */
export type CommentSubject = {
  videoId: number | null
  clipId: number | null
  postId: number | null
  /** May pin, heart and delete comments. */
  ownerId: number
  /** Notified of comments: the owner, or the clip's maker. */
  listenerId: number
  /** Null for a post. */
  title: string | null
  areCommentsOff: boolean
  /** Visible to others than its owner and admins. */
  isPublic: boolean
}

/** @throws `invalid` for a clip of another video */
export async function requireCommentSubject(
  db: Database,
  input: CommentPlace & { viewer: Viewer | undefined },
): Promise<CommentSubject> {
  const { videoId, clipId, postId, viewer } = input
  if (postId) return ofPost(await requirePostOwner(db, { id: postId, viewer }))
  const video = await requireVideoOwner(db, { id: videoId ?? 0, viewer })
  const clip = clipId ? await requireClipOwner(db, { id: clipId, viewer }) : undefined
  if (clip && clip.videoId !== video.id) {
    throw new AppError('invalid', 'This clip is of another video.')
  }
  const { userId: listenerId, title } = clip ?? video
  return {
    ...{ videoId: video.id, clipId: clip?.id ?? null, postId: null },
    ...{ ownerId: video.userId, listenerId, title },
    areCommentsOff: video.commentsOff === 1,
    isPublic: video.isPublished === 1,
  }
}

function ofPost(post: { id: number; channelId: number; withheld: string | null }): CommentSubject {
  const { id, channelId, withheld } = post
  return {
    ...{ videoId: null, clipId: null, postId: id },
    ...{ ownerId: channelId, listenerId: channelId, title: null },
    areCommentsOff: false,
    isPublic: withheld === null,
  }
}
