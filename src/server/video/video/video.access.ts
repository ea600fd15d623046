import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'

/**
 * SQL: the video is one that everybody may see. Its words are those of the partial indexes.
 * See docs/decisions/0021-one-expression-of-visibility.md.
 */
export const isPublicVideo: RawBuilder<SqlBool> = sql`(
  "videos"."processingState" = 'ready' AND "videos"."contentApproved" = 1
)`

/**
 * SQL: the video exists for `viewer`. Everybody sees the public ones, an owner also their own, an
 * admin all; one that is being deleted exists for nobody.
 */
export function isVisibleVideo(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return isPublicVideo
  if (viewer.isAdmin) return sql`("videos"."processingState" <> 'deleting')`
  return sql`(
    ${isPublicVideo} OR ("videos"."processingState" <> 'deleting' AND "videos"."userId" = ${viewer.id})
  )`
}

/** Whether `viewer` may know whose video this is. */
export function canSeeOwner(
  video: Pick<VideoRow, 'userId' | 'isAnonymous'>,
  viewer: Viewer | undefined,
): boolean {
  return video.isAnonymous === 0 || canManage(video, viewer)
}

/** Whether `viewer` owns the video or is an admin. */
export function canManage(video: Pick<VideoRow, 'userId'>, viewer: Viewer | undefined): boolean {
  return viewer?.isAdmin === true || viewer?.id === video.userId
}

/** @throws AppError `forbidden` unless the video is the viewer's own: admins moderate, they do not edit. */
export function requireEditable(video: Pick<VideoRow, 'userId'>, viewer: Viewer): void {
  if (video.userId !== viewer.id) {
    throw new AppError('forbidden', 'Only its owner can change this video.')
  }
}

/** @throws AppError `forbidden` unless the viewer owns the video or is an admin. */
export function requireDeletable(video: Pick<VideoRow, 'userId'>, viewer: Viewer): void {
  if (!canManage(video, viewer)) {
    throw new AppError('forbidden', 'Only its owner can delete this video.')
  }
}
