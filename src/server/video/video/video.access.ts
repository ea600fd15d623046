import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import { AppError } from '#server/platform/errors.ts'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'

/** A viewer, or the members of a column of ids in the query. */
type Watcher = { id: number | RawBuilder<number>; isAdmin: boolean }

/** SQL: prepared and approved, as in the partial indexes. */
export const isPublishedVideo: RawBuilder<SqlBool> = sql`(
  "videos"."processingState" = 'ready' AND "videos"."contentApproved" = 1
)`

const isListedForMembers: RawBuilder<SqlBool> = sql`(
  ${isPublishedVideo} AND "videos"."visibility" IN ('public', 'members')
)`

/** SQL: listed for everybody. See docs/decisions/0021-one-expression-of-visibility.md. */
export const isPublicVideo: RawBuilder<SqlBool> = sql`(
  ${isPublishedVideo} AND "videos"."visibility" = 'public' AND ${isOpenSite}
)`

/** SQL: followers are notified of the video if they may see it. */
export const isAnnouncedVideo: RawBuilder<SqlBool> = sql`(
  ${isListedForMembers} OR (${isPublishedVideo} AND "videos"."squadId" IS NOT NULL)
)`

export function audienceOf(viewer: Viewer | undefined): Audience {
  return viewer ? 'members' : 'everybody'
}

/** SQL: the video is listed for everyone in the audience. */
export function isListedFor(audience: Audience): RawBuilder<SqlBool> {
  return audience === 'members' ? isListedForMembers : isPublicVideo
}

/**
 * SQL: the video is for a squad of the viewer; such a video is `private` and has a squad. See
 * docs/decisions/0072-squads.md.
 */
function isOfOwnSquad(viewer: Watcher): RawBuilder<SqlBool> {
  return sql`("videos"."visibility" = 'private' AND "videos"."squadId" IN (
    SELECT "squadMembers"."squadId" FROM "squadMembers" WHERE "squadMembers"."userId" = ${viewer.id}
  ))`
}

/**
 * SQL: the video is published and for a squad of the viewer. `isListedVideo` includes these beside
 * the videos that all members find.
 */
export function isSquadVideo(viewer: Viewer): RawBuilder<SqlBool> {
  return sql`(${isPublishedVideo} AND ${isOfOwnSquad(viewer)})`
}

/** SQL: the viewer finds the video in lists, searches, feeds and counts. */
export function isListedVideo(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return isPublicVideo
  return sql`(
    ${isPublishedVideo} AND ("videos"."visibility" IN ('public', 'members') OR ${isOfOwnSquad(viewer)})
  )`
}

/** SQL: the video is listed for the viewer or belongs to the viewer. */
export function isListedOrOwnVideo(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return isPublicVideo
  return sql`(${isListedVideo(viewer)} OR ${isOwnVideo(viewer)})`
}

/** SQL: by address; not in deletion. */
export function isVisibleVideo(viewer: Watcher | undefined): RawBuilder<SqlBool> {
  if (!viewer) {
    return sql`(
      ${isPublishedVideo} AND "videos"."visibility" IN ('public', 'unlisted') AND ${isOpenSite}
    )`
  }
  if (viewer.isAdmin) return sql`("videos"."processingState" <> 'deleting')`
  return sql`(
    (${isPublishedVideo} AND ("videos"."visibility" <> 'private' OR ${isOfOwnSquad(viewer)} OR (
      "videos"."squadId" IS NULL AND EXISTS (
        SELECT 1 FROM "videoMembers"
        WHERE "videoMembers"."videoId" = "videos"."id" AND "videoMembers"."userId" = ${viewer.id}
      )
    ))) OR ${isOwnVideo(viewer)}
  )`
}

function isOwnVideo(viewer: Watcher): RawBuilder<SqlBool> {
  return sql`("videos"."processingState" <> 'deleting' AND "videos"."userId" = ${viewer.id})`
}

export function canSeeOwner(
  video: Pick<VideoRow, 'userId' | 'isAnonymous'>,
  viewer: Viewer | undefined,
): boolean {
  return video.isAnonymous === 0 || canManage(video, viewer)
}

export function canManage(video: Pick<VideoRow, 'userId'>, viewer: Viewer | undefined): boolean {
  return viewer?.isAdmin === true || viewer?.id === video.userId
}

/** @throws `forbidden`, also for admins, who moderate but do not edit */
export function requireEditable(video: Pick<VideoRow, 'userId'>, viewer: Viewer): void {
  if (video.userId !== viewer.id) {
    throw new AppError('forbidden', 'Only its owner can change this video.')
  }
}

export function requireDeletable(video: Pick<VideoRow, 'userId'>, viewer: Viewer): void {
  if (!canManage(video, viewer)) {
    throw new AppError('forbidden', 'Only its owner can delete this video.')
  }
}
