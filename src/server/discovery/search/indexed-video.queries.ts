import { sql } from 'kysely'
import { listOf } from '#server/platform/db/expressions.ts'
import { isListedFor } from '#server/video/video/video.access.ts'
import { type IndexedVideo, toIndexedVideo } from './indexed-video.ts'
import type { Connection } from './search-engine.ts'

/** How those of the videos that everybody or members find are to stand in the index. */
export async function listVideosToIndex(db: Connection, ids: number[]): Promise<IndexedVideo[]> {
  const rows = await selectText(db).where('videos.id', 'in', listOf(ids)).execute()
  return rows.map(toIndexedVideo)
}

/** The next of them all after an id, as they are to stand in the index. */
export async function listNextToIndex(
  db: Connection,
  input: { afterId: number; limit: number },
): Promise<IndexedVideo[]> {
  const { afterId, limit } = input
  const rows = await selectText(db)
    .where('videos.id', '>', afterId)
    .orderBy('videos.id')
    .limit(limit)
    .execute()
  return rows.map(toIndexedVideo)
}

function selectText(db: Connection) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'title', 'tags', 'description', 'category', 'isAnonymous'])
    .select(['displayName', 'username', 'videos.visibility'])
    .select(
      sql<string>`(
        SELECT json_group_array("tag") FROM (
          SELECT "tag" FROM "videoTags" WHERE "videoId" = "videos"."id" ORDER BY "tag"
        )
      )`.as('tagNames'),
    )
    .where(isListedFor('members'))
}
