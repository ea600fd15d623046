import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Viewer } from '#server/platform/viewer.ts'

/**
 * SQL: the post, or comment on one, exists for `viewer`. Everybody sees the public ones, an author also
 * their own that wait for review, an admin all. A comment exists only where its post does, a reply only where its
 * comment does.
 * @param table what the row is called in the query
 */
export function isVisiblePost(viewer: Viewer | undefined, table = 'posts'): RawBuilder<SqlBool> {
  if (viewer?.isAdmin) return sql`TRUE`
  const [parentId, topCommentId] = [sql.ref(`${table}.parentId`), sql.ref(`${table}.topCommentId`)]
  return sql`(${isShown(viewer, table)} AND (${parentId} IS NULL OR EXISTS (
    SELECT 1 FROM "posts" AS "root" WHERE "root"."id" = ${parentId} AND ${isShown(viewer, 'root')}
  )) AND (${topCommentId} IS NULL OR EXISTS (
    SELECT 1 FROM "posts" AS "top" WHERE "top"."id" = ${topCommentId} AND ${isShown(viewer, 'top')}
  )))`
}

function isShown(viewer: Viewer | undefined, table: string): RawBuilder<SqlBool> {
  const withheld = sql.ref(`${table}.withheld`)
  if (!viewer) return sql`${withheld} IS NULL`
  return sql`(${withheld} IS NULL OR (${withheld} = 'held' AND ${sql.ref(`${table}.userId`)} = ${viewer.id}))`
}
