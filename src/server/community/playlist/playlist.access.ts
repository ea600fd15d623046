import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedOrOwnVideo, isVisibleVideo } from '#server/video/video/video.access.ts'

/** Visible by its address. 'Watch later' is for its owner only. */
export function isVisiblePlaylist(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) {
    return sql`(
      "playlists"."visibility" IN ('public', 'unlisted')
      AND ${isOpenSite}
    )`
  }
  return sql`("playlists"."userId" = ${viewer.id} OR ("playlists"."kind" = 'list' AND (
    ${viewer.isAdmin ? sql`TRUE` : sql`FALSE`} OR "playlists"."visibility" <> 'private' OR EXISTS (
      SELECT 1 FROM "playlistMembers"
      WHERE "playlistMembers"."playlistId" = "playlists"."id" AND "playlistMembers"."userId" = ${viewer.id}
    )
  )))`
}

/** Listed on its owner's channel. */
export function isListedPlaylist(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  const levels = viewer ? sql`('public', 'members')` : sql`('public')`
  return sql`(
    "playlists"."kind" = 'list' AND "playlists"."visibility" IN ${levels} AND ${isVisiblePlaylist(viewer)}
  )`
}

/** In one's own playlist all videos that one may open, otherwise those that lists may show. */
export function isVisibleInPlaylist(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return isListedOrOwnVideo(viewer)
  return sql`(${isListedOrOwnVideo(viewer)} OR (
    (SELECT "userId" FROM "playlists" AS "holder" WHERE "holder"."id" = "playlistItems"."playlistId") = ${viewer.id}
    AND ${isVisibleVideo(viewer)}
  ))`
}
