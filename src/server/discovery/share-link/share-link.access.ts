import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPublicVideo, isPublishedVideo } from '#server/video/video/video.access.ts'

export type LinkTarget = { videoId: number | null; playlistId: number | null; ownerId: number }

/**
 * A link to a video opens it at every visibility. A link to a playlist opens public videos and its
 * owner's, but no anonymous ones, as a playlist names its owner. See
 * docs/decisions/0033-share-links.md.
 */
export function isOpenedByLink({ videoId, playlistId, ownerId }: LinkTarget): RawBuilder<SqlBool> {
  if (videoId !== null) return sql`("videos"."id" = ${videoId} AND ${isPublishedVideo})`
  return sql`(
    EXISTS (
      SELECT 1 FROM "playlistItems"
      WHERE "playlistItems"."playlistId" = ${playlistId} AND "playlistItems"."videoId" = "videos"."id"
    )
    AND (${isPublicVideo} OR (
      ${isPublishedVideo} AND "videos"."userId" = ${ownerId} AND "videos"."isAnonymous" = 0
    ))
  )`
}
