import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { isPublicVideo } from '../video/video.access.ts'

/** The pages that everybody may see and search engines may list, in an order that stays. */
const pages: RawBuilder<unknown> = sql`
  SELECT 1 AS kind, videos.id, '/video/' || videos.id AS path, videos.publishedAt AS changedAt
  FROM videos WHERE ${isPublicVideo}
  UNION ALL
  SELECT 2, videos.userId, '/profile/' || videos.userId, max(videos.publishedAt)
  FROM videos WHERE ${isPublicVideo} AND videos.isAnonymous = 0 GROUP BY videos.userId
  UNION ALL
  SELECT 3, playlists.id, '/playlist/' || playlists.id, playlists.updatedAt
  FROM playlists WHERE playlists.isPublic = 1 AND EXISTS (
    SELECT 1 FROM playlistItems JOIN videos ON videos.id = playlistItems.videoId
    WHERE playlistItems.playlistId = playlists.id AND ${isPublicVideo}
  )`

export async function countListedPages(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (${pages})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/**
 * The `<url>` elements of a sitemap, written by SQLite itself: 50,000 rows need not become objects.
 * @param input.origin as it may stand in XML
 */
export async function renderListedPages(
  db: Database,
  input: { origin: string; limit: number; offset: number },
): Promise<string> {
  const { rows } = await sql<{ xml: string | null }>`
    SELECT group_concat(
      '<url><loc>' || ${input.origin} || path || '</loc><lastmod>' || changedAt || '</lastmod></url>', ''
    ) AS xml
    FROM (SELECT * FROM (${pages}) ORDER BY kind, id LIMIT ${input.limit} OFFSET ${input.offset})
  `.execute(db)
  return rows[0]?.xml ?? ''
}
