import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Viewer } from '#server/platform/viewer.ts'
import { isCountedComment, isPublicComment } from './writing.access.ts'

/**
 * SQL: comments and replies within the viewer's reach. Public ones are counted in an index; a
 * subject has few others.
 * @param isOn whether a row of `comments`, under an alias, is on the subject
 */
export function commentCount(
  viewer: Viewer | undefined,
  isOn: (alias: string) => RawBuilder<SqlBool>,
): RawBuilder<number> {
  const isAbout = isOn('comments')
  const withheld = viewer
    ? sql`(SELECT count(*) FROM "comments"
        WHERE ${isAbout} AND "comments"."withheld" IS NOT NULL AND ${isCountedComment(viewer)})`
    : sql`0`
  return sql`(${withheld} + (
      SELECT count(*) FROM "comments" WHERE ${isAbout} AND ${isPublicComment}
    ) - (
      SELECT count(*) FROM "comments" AS "tops" JOIN "comments" ON "comments"."parentId" = "tops"."id"
      WHERE ${isOn('tops')} AND "tops"."withheld" IS NOT NULL
        AND NOT ${isCountedComment(viewer, 'tops')} AND ${isCountedComment(viewer)}
    ))`
}
