import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Viewer } from '#server/platform/viewer.ts'

/** SQL: the comment is one that everybody may see. */
export const isPublicComment: RawBuilder<SqlBool> = sql`("comments"."withheld" IS NULL)`

/**
 * SQL: the comment exists for `viewer`. Everybody sees the public ones, an author also their own that
 * wait for review, an admin all. Where no row was joined it is true.
 * @param table the alias of `comments` in the query
 */
export function isVisibleComment(
  viewer: Viewer | undefined,
  table = 'comments',
): RawBuilder<SqlBool> {
  return isVisibleText(viewer, { withheld: `${table}.withheld`, authorId: `${table}.userId` })
}

/** SQL: the post exists for `viewer`, by the rule of `isVisibleComment`. */
export function isVisiblePost(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  return isVisibleText(viewer, { withheld: 'posts.withheld', authorId: 'posts.channelId' })
}

function isVisibleText(
  viewer: Viewer | undefined,
  columns: { withheld: string; authorId: string },
): RawBuilder<SqlBool> {
  const withheld = sql.ref(columns.withheld)
  if (!viewer) return sql`(${withheld} IS NULL)`
  if (viewer.isAdmin) return sql`TRUE`
  return sql`(
    ${withheld} IS NULL OR (${withheld} = 'held' AND ${sql.ref(columns.authorId)} = ${viewer.id})
  )`
}
