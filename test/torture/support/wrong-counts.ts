import { sql } from 'kysely'
import { openTriedSite, type Variables } from './tried-site.ts'

/** What the rows of a site that stands still count beside what there is, where the doctor does not look: a sentence each. */
export async function listWrongCounts(dataFolder: string, env?: Variables): Promise<string[]> {
  const db = openTriedSite(dataFolder, env)
  const { rows } = await sql<{ what: string; stored: number; counted: number }>`
    SELECT * FROM (
      SELECT 'bytes of all videos' AS "what", "bytes" AS "stored",
        (SELECT coalesce(sum("storageBytes"), 0) FROM "videos") AS "counted"
      FROM "storageTotals" WHERE "kind" = 'all'
      UNION ALL SELECT 'bytes of files that are ' || "kind", "bytes",
        (SELECT coalesce(sum("bytes"), 0) FROM "mediaFiles" WHERE "mediaFiles"."kind" = "storageTotals"."kind")
      FROM "storageTotals" WHERE "kind" <> 'all'
      UNION ALL SELECT 'bytes that are held for ' || "username", "storageBytes", "avatarBytes" + "bannerBytes"
        + (SELECT coalesce(sum("storageBytes" - "clipBytes"), 0) FROM "videos" WHERE "videos"."userId" = "users"."id")
        + (SELECT coalesce(sum("bytes"), 0) FROM "mediaFiles" WHERE "mediaFiles"."makerId" = "users"."id")
        + (SELECT coalesce(sum("fileSize" + "thumbnailBytes"), 0) FROM "uploads"
          WHERE "uploads"."userId" = "users"."id" AND "state" IN ('receiving', 'finalizing'))
      FROM "users"
      UNION ALL SELECT 'bytes of the files of clips of video ' || "id", "clipBytes",
        (SELECT coalesce(sum("bytes"), 0) FROM "mediaFiles"
          WHERE "mediaFiles"."videoId" = "videos"."id" AND "makerId" IS NOT NULL)
      FROM "videos"
      UNION ALL SELECT 'bytes of captions, pictures and share files of video ' || "id",
        "captionBytes" + 3 * "pictureBytes" + 7 * "shareBytes",
        (SELECT coalesce(sum("bytes" * CASE "kind" WHEN 'captions' THEN 1 WHEN 'picture' THEN 3 ELSE 7 END), 0)
          FROM "mediaFiles" WHERE "mediaFiles"."videoId" = "videos"."id" AND "makerId" IS NULL
            AND "kind" IN ('captions', 'picture', 'share'))
      FROM "videos"
      UNION ALL SELECT 'bytes of the files of video ' || "id", "listedBytes",
        (SELECT coalesce(sum("bytes"), 0) FROM "mediaFiles" WHERE "mediaFiles"."videoId" = "videos"."id")
      FROM "videos"
      UNION ALL SELECT 'public videos in ' || "category", "publicVideos",
        (SELECT count(*) FROM "videos"
          WHERE "videos"."category" = "categoryTotals"."category" AND "processingState" = 'ready'
            AND "contentApproved" = 1 AND "visibility" = 'public')
      FROM "categoryTotals"
    ) AS "counts" WHERE "stored" <> "counted"`.execute(db)
  await db.destroy()
  return rows.map(
    ({ what, stored, counted }) => `The ${what} are counted as ${stored}, not ${counted}.`,
  )
}
