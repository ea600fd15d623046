import { sql } from 'kysely'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { Database } from '#server/platform/db/database.ts'
import { eachText, listOf } from '#server/platform/db/expressions.ts'
import { listCategories } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedVideo } from '#server/video/video/video.access.ts'
import { isNotHidden, listVideosById } from '#server/video/video/video.queries.ts'
import type { Category } from '#shared/limits.ts'
import { countShownIn } from '../home/home.queries.ts'

type Asking = { viewer: Viewer | undefined }

const selectShownVideos = compiledOnce((db, { ids, viewer }: Asking & { ids: number[] }) =>
  sql<{ id: number }>`
    SELECT "videos"."id" FROM "videos"
    WHERE "videos"."id" IN ${listOf(ids)} AND ${isListedVideo(viewer)} AND ${isNotHidden(viewer)}
  `.compile(db),
)

/** Keeps the order of `ids`; leaves out videos that are not listed for the viewer or that they hid. */
export async function listRankedVideos(
  db: Database,
  { ids, viewer, limit }: Asking & { ids: number[]; limit: number },
) {
  if (ids.length === 0) return []
  const rows = await selectShownVideos(db, { ids, viewer })
  const shown = new Set(rows.map(({ id }) => id))
  return listVideosById(db, { ids: ids.filter((id) => shown.has(id)).slice(0, limit), viewer })
}

export async function findPinned(db: Database, viewer: Viewer | undefined) {
  const row = await db
    .selectFrom('siteSettings')
    .leftJoin('videos', (join) =>
      join.onRef('videos.id', '=', 'siteSettings.pinnedVideoId').on(isListedVideo(viewer)),
    )
    .select(['siteSettings.notice', 'videos.id'])
    .where('siteSettings.id', '=', 1)
    .executeTakeFirstOrThrow()
  const [video] = await listVideosById(db, { ids: row.id === null ? [] : [row.id], viewer })
  return { notice: row.notice, video: video ?? null }
}

/** The first admin; undefined once `viewer` finds a video. */
export async function findHost(db: Database, viewer: Viewer | undefined) {
  const admin = await db
    .selectFrom('users')
    .select(['id', 'displayName'])
    .where('isAdmin', '=', 1)
    .where('bannedAt', 'is', null)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM "videos" WHERE ${isListedVideo(viewer)})`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return admin ?? null
}

const selectShownTags = compiledOnce((db, { names, viewer }: Asking & { names: string[] }) =>
  sql<{ tag: string }>`
    SELECT "ranked"."value" AS "tag" FROM ${eachText(names)} AS "ranked"
    WHERE EXISTS (
      SELECT 1 FROM "videoTags" JOIN "videos" ON "videos"."id" = "videoTags"."videoId"
      WHERE "videoTags"."tag" = "ranked"."value" AND ${isListedVideo(viewer)}
    )`.compile(db),
)

/** Keeps the order of `tags`; leaves out those of no video that is listed for the viewer. */
export async function listShownTags<Tag extends { tag: string }>(
  db: Database,
  { tags, viewer, limit }: Asking & { tags: Tag[]; limit: number },
) {
  const rows = await selectShownTags(db, { names: tags.map(({ tag }) => tag), viewer })
  const shown = new Set(rows.map(({ tag }) => tag))
  return tags.filter(({ tag }) => shown.has(tag)).slice(0, limit)
}

export async function listGames(db: Database, viewer: Viewer | undefined) {
  const categories = await listCategories(db)
  const counts = await countShownIn(db, { categories, viewer })
  const { rows } = await sql<{ name: Category; pictureUrl: string | null }>`
    SELECT "game"."value" AS "name",
      (SELECT coalesce("cardUrl", "thumbnailUrl") FROM "videos" WHERE "videos"."category" = "game"."value" AND ${isListedVideo(viewer)}
        ORDER BY "publishedAt" DESC, "id" DESC LIMIT 1) AS "pictureUrl"
    FROM ${eachText(categories)} AS "game" ORDER BY "game"."key"`.execute(db)
  return rows.map((row) => ({ ...row, videoCount: counts.get(row.name) ?? 0 }))
}
