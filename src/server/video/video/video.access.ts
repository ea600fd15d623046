import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import { AppError } from '#server/platform/errors.ts'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'

/**
 * SQL: the video is prepared and approved; its `visibility` decides who may see it. Its words are those of the
 * partial indexes, which have the level as their last column.
 */
export const isPublishedVideo: RawBuilder<SqlBool> = sql`(
  "videos"."processingState" = 'ready' AND "videos"."contentApproved" = 1
)`

/** SQL: members find the video in lists. */
const isListedForMembers: RawBuilder<SqlBool> = sql`(
  ${isPublishedVideo} AND "videos"."visibility" IN ('public', 'members')
)`

/** SQL: everybody finds the video in lists. See docs/decisions/0021-one-expression-of-visibility.md. */
export const isPublicVideo: RawBuilder<SqlBool> = sql`(
  ${isPublishedVideo} AND "videos"."visibility" = 'public' AND ${isOpenSite}
)`

/** The audience whose lists `viewer` gets. */
export function audienceOf(viewer: Viewer | undefined): Audience {
  return viewer ? 'members' : 'everybody'
}

/** SQL: an audience finds the video in lists, searches, feeds and counts. */
export function isListedFor(audience: Audience): RawBuilder<SqlBool> {
  return audience === 'members' ? isListedForMembers : isPublicVideo
}

/** SQL: `viewer` finds the video in lists, searches, feeds and counts, whoever it belongs to. */
export function isListedVideo(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  return isListedFor(audienceOf(viewer))
}

/** SQL: `viewer` finds the video in lists, or owns it. */
export function isListedOrOwnVideo(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return isPublicVideo
  return sql`(${isListedForMembers} OR ${isOwnVideo(viewer)})`
}

/**
 * SQL: the video exists for `viewer`, who has its address. An owner sees also their own, an admin all, members those that
 * they are named for; one that is being deleted exists for nobody.
 */
export function isVisibleVideo(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) {
    return sql`(
      ${isPublishedVideo} AND "videos"."visibility" IN ('public', 'unlisted') AND ${isOpenSite}
    )`
  }
  if (viewer.isAdmin) return sql`("videos"."processingState" <> 'deleting')`
  return sql`(
    (${isPublishedVideo} AND ("videos"."visibility" <> 'private' OR EXISTS (
      SELECT 1 FROM "videoMembers"
      WHERE "videoMembers"."videoId" = "videos"."id" AND "videoMembers"."userId" = ${viewer.id}
    ))) OR ${isOwnVideo(viewer)}
  )`
}

function isOwnVideo(viewer: Viewer): RawBuilder<SqlBool> {
  return sql`("videos"."processingState" <> 'deleting' AND "videos"."userId" = ${viewer.id})`
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
