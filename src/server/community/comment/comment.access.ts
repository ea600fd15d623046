import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Viewer } from '#server/platform/viewer.ts'

/** SQL: the comment is one that everybody may see. */
export const isPublicComment: RawBuilder<SqlBool> = sql`("comments"."withheld" IS NULL)`

/**
 * SQL: the comment exists for `viewer`. Everybody sees the public ones, an author also their own that
 * wait for review, an admin all.
 * @param table the alias of `comments` in the query
 */
export function isVisibleComment(
  viewer: Viewer | undefined,
  table = 'comments',
): RawBuilder<SqlBool> {
  const withheld = sql.ref(`${table}.withheld`)
  if (!viewer) return sql`(${withheld} IS NULL)`
  if (viewer.isAdmin) return sql`TRUE`
  return sql`(
    ${withheld} IS NULL OR (${withheld} = 'held' AND ${sql.ref(`${table}.userId`)} = ${viewer.id})
  )`
}
