import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { decodeCursor, decodeSortCursor, toPage, toSortedPage } from '#server/platform/db/paging.ts'
import type { Page } from '#shared/field.schemas.ts'
import type { CommentSort } from '#shared/schemas/comment.schemas.ts'

type Row = { id: number; createdAt: string; likeCount: number; dislikeCount: number }

/** By `key`, then id, both descending. */
type CommentOrder = {
  key: RawBuilder<string | number>
  /** @throws `invalid` for a cursor of another order */
  isAfter: (cursor: string) => RawBuilder<SqlBool>
  /** @param rows `limit + 1` of them */
  toPage: <Fetched extends Row, Item>(
    rows: Fetched[],
    limit: number,
    item: (row: Fetched) => Item,
  ) => Page<Item>
}

export function commentOrder(sort: CommentSort | undefined): CommentOrder {
  return sort === 'best' ? bestFirst() : newestFirst()
}

function newestFirst(): CommentOrder {
  const key = sql<string>`"comments"."createdAt"`
  return {
    key,
    isAfter: (cursor) => {
      const { time, id } = decodeCursor(cursor)
      return sql`(${key}, "comments"."id") < (${time}, ${id})`
    },
    toPage: (rows, limit, item) =>
      toPage(rows, limit, { position: (row) => ({ time: row.createdAt, id: row.id }), item }),
  }
}

const BEST = 'best'

/**
 * Likes less dislikes, as in the indexes `bestCommentsBy…`. A like between two pages may move a
 * comment to both or neither.
 */
function bestFirst(): CommentOrder {
  const key: RawBuilder<number> = sql`("comments"."likeCount" - "comments"."dislikeCount")`
  return {
    key,
    isAfter: (cursor) => {
      const after = decodeSortCursor(cursor, BEST)
      // SQLite does not search an index for a row value with an expression.
      return sql`(${key} <= ${after.key} AND (${key} < ${after.key} OR "comments"."id" < ${after.id}))`
    },
    toPage: (rows, limit, item) =>
      toSortedPage(rows, limit, {
        position: ({ id, likeCount, dislikeCount }) => ({
          sort: BEST,
          key: likeCount - dislikeCount,
          id,
        }),
        item,
      }),
  }
}
