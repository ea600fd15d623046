import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPublicVideo, isPublishedVideo } from '#server/video/video/video.access.ts'

/** What a link leads to, and whose that is. */
export type LinkTarget = { videoId: number | null; playlistId: number | null; ownerId: number }

/**
 * SQL: the link opens the video. One to a video opens it at every level; one to a playlist those in it that
 * everybody may see, and those of its owner: the others' are not theirs to show, and one that its owner shows
 * to nobody by name would be named by the playlist. See docs/decisions/0033-share-links.md.
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
