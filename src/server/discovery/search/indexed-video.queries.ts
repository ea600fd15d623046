import { listOf } from '#server/platform/db/expressions.ts'
import { isListedFor } from '#server/video/video/video.access.ts'
import { type IndexedVideo, toIndexedVideo } from './indexed-video.ts'
import type { Connection } from './search-engine.ts'

/** Only videos that everybody or members find. */
export async function listVideosToIndex(db: Connection, ids: number[]): Promise<IndexedVideo[]> {
  return readTexts(db, selectText(db).where('videos.id', 'in', listOf(ids)))
}

export async function listNextToIndex(
  db: Connection,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<IndexedVideo[]> {
  const next = selectText(db).where('videos.id', '>', afterId).orderBy('videos.id').limit(limit)
  return readTexts(db, next)
}

function selectText(db: Connection) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'title', 'tags', 'description', 'category', 'isAnonymous'])
    .select(['displayName', 'username', 'videos.visibility'])
    .where(isListedFor('members'))
}

async function readTexts(
  db: Connection,
  texts: ReturnType<typeof selectText>,
): Promise<IndexedVideo[]> {
  const rows = await texts.execute()
  const tags = await db
    .selectFrom('videoTags')
    .select(['videoId', 'tag'])
    .where('videoId', 'in', listOf(rows.map(({ id }) => id)))
    .orderBy('videoId')
    .orderBy('tag')
    .execute()
  const tagNames = Map.groupBy(tags, ({ videoId }) => videoId)
  return rows.map((row) =>
    toIndexedVideo({ ...row, tagNames: tagNames.get(row.id)?.map(({ tag }) => tag) ?? [] }),
  )
}
