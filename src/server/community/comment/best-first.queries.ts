import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { decodeSortCursor } from '#server/platform/db/paging.ts'

const SORT = 'best'

/**
 * The order of comments by their likes less their dislikes; of those with as many, the newest first. The indexes
 * `bestCommentsBy…` have the same expression. A rating that changes between two pages moves a comment, which may then
 * come on both or on neither.
 */
export function bestFirst(table: 'comments' | 'posts') {
  const likes = sql.ref(`${table}.likeCount`)
  const dislikes = sql.ref(`${table}.dislikeCount`)
  const score: RawBuilder<number> = sql`(${likes} - ${dislikes})`
  const id = sql.ref(`${table}.id`)
  return {
    score,

    /** @throws AppError `invalid` for a cursor that is of another order */
    isAfter(cursor: string): RawBuilder<SqlBool> {
      const after = decodeSortCursor(cursor, SORT)
      // SQLite does not search an index for a pair with an expression in it.
      return sql`(${score} <= ${after.key} AND (${score} < ${after.key} OR ${id} < ${after.id}))`
    },

    position: (row: { id: number; likeCount: number; dislikeCount: number }) => ({
      sort: SORT,
      key: row.likeCount - row.dislikeCount,
      id: row.id,
    }),
  }
}
