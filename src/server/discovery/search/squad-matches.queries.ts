/**
 * The index, which all members share, does not contain videos for squads. A viewer has few of them,
 * so they are read from the tables. See docs/decisions/0072-squads.md.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { containsFolded, containsText, joinFound, listOf } from '#server/platform/db/expressions.ts'
import { inOrder } from '#server/platform/db/in-order.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isSquadVideo } from '#server/video/video/video.access.ts'
import { countOwnSquads } from '#server/video/video/video-squad.queries.ts'
import { queryWords } from './text/words.ts'

/** The newest videos of all squads together; the same number is read from each. */
const READ_MAX = 600
const WORDS_MAX = 5
const FOUND_MAX = 200

export type Sortable = { id: number; title: string; viewCount: number; publishedAt: string }

/** Each word must occur in the title, tags, description or name of the channel. */
export async function listSquadMatches(
  db: Database,
  { q, category, viewer }: { q: string; category?: string | undefined; viewer: Viewer },
): Promise<Sortable[]> {
  const words = queryWords(q).slice(0, WORDS_MAX)
  const squads = await countOwnSquads(db, viewer.id)
  if (words.length === 0 || squads === 0) return []
  const ids = sql`SELECT "videos"."id" FROM "videos"
    WHERE "videos"."squadId" = "squadMembers"."squadId" AND ${isSquadVideo(viewer)}
    ORDER BY "videos"."publishedAt" DESC, "videos"."id" DESC LIMIT ${Math.ceil(READ_MAX / squads)}`
  const found = words.map(({ word }) => hasWord(word))
  const inCategory = category ? sql`AND "videos"."category" = ${category}` : sql``
  const { rows } = await sql<Sortable>`
    SELECT "videos"."id", "videos"."title", "videos"."viewCount", "videos"."publishedAt"
    FROM "squadMembers" ${joinFound({ table: 'videos', as: 'videos', ids })}
    JOIN "users" ON "users"."id" = "videos"."userId"
    WHERE "squadMembers"."userId" = ${viewer.id} ${inCategory} AND ${sql.join(found, sql` AND `)}
    ORDER BY "videos"."viewCount" DESC, "videos"."id" DESC LIMIT ${FOUND_MAX}`.execute(db)
  return rows
}

function hasWord(word: string): RawBuilder<SqlBool> {
  return sql`(
    ${containsFolded(sql.ref('videos.foldedTitle'), word)}
    OR ${containsText(['videos.tags', 'videos.description'], word)}
    OR ("videos"."isAnonymous" = 0 AND ${containsText(['users.displayName', 'users.username'], word)})
  )`
}

export async function listSortable(db: Database, ids: number[]): Promise<Sortable[]> {
  const rows = await db
    .selectFrom('videos')
    .select(['id', 'title', 'viewCount', 'publishedAt'])
    .where('id', 'in', listOf(ids))
    .execute()
  return inOrder(rows, ids)
}
