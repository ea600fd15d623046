import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Viewer } from '#server/platform/viewer.ts'

/** SQL: the comment is one that everybody may see. */
export const isPublicComment: RawBuilder<SqlBool> = sql`("comments"."withheld" IS NULL)`

/**
 * SQL: the comment exists for `viewer`. Everybody sees the public ones, an author also their own that
 * wait for review, an admin all.
 */
export function isVisibleComment(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return isPublicComment
  if (viewer.isAdmin) return sql`TRUE`
  return sql`(
    ${isPublicComment} OR ("comments"."withheld" = 'held' AND "comments"."userId" = ${viewer.id})
  )`
}
