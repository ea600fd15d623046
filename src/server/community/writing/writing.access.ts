import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Viewer } from '#server/platform/viewer.ts'

export const isPublicComment: RawBuilder<SqlBool> = sql`("comments"."withheld" IS NULL)`

/** Of `longWork`: comments of a banned member, not all marked yet. */
export const HIDING_COMMENTS = 'hide-comments'

/**
 * Everyone sees public comments, authors their own held ones, admins all. True without a joined
 * row.
 * @param table alias of `comments`
 */
export function isVisibleComment(
  viewer: Viewer | undefined,
  table = 'comments',
): RawBuilder<SqlBool> {
  const isMarked = isCountedComment(viewer, table)
  if (viewer?.isAdmin) return isMarked
  return sql`(${isMarked} AND NOT EXISTS (
    SELECT 1 FROM "longWork" WHERE "longWork"."kind" = ${sql.lit(HIDING_COMMENTS)}
      AND "longWork"."targetId" = ${sql.ref(`${table}.userId`)}
  ))`
}

/** The same by its mark alone, which indexes have: a ban of very many comments counts down. */
export function isCountedComment(
  viewer: Viewer | undefined,
  table = 'comments',
): RawBuilder<SqlBool> {
  return isVisibleText(viewer, { withheld: `${table}.withheld`, authorId: `${table}.userId` })
}

/**
 * SQL: the viewer may see the post. A post for a squad is visible to its members, its author and
 * admins.
 */
export function isVisiblePost(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  const isText = isVisibleText(viewer, { withheld: 'posts.withheld', authorId: 'posts.channelId' })
  if (!viewer) return sql`(${isText} AND "posts"."squadId" IS NULL)`
  if (viewer.isAdmin) return isText
  return sql`(${isText} AND (
    "posts"."squadId" IS NULL OR "posts"."channelId" = ${viewer.id} OR "posts"."squadId" IN (
      SELECT "squadMembers"."squadId" FROM "squadMembers" WHERE "squadMembers"."userId" = ${viewer.id}
    )
  ))`
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
