import { sql } from 'kysely'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import { eachText } from '#server/platform/db/expressions.ts'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { Connection, KnownWord, WordCount } from './search-engine.ts'

/** Ends a range of prefixes. */
export const LAST_CHARACTER = '\u{10ffff}'
const BEGINNINGS_MAX = 100

export const COUNT_FOR = { everybody: sql.ref('publicCount'), members: sql.ref('videoCount') }

/** New with each change of the index. */
export async function readIndexVersion(db: Connection): Promise<number> {
  const { changes } = await db.selectFrom('searchState').select('changes').executeTakeFirstOrThrow()
  return changes
}

const selectIndexState = compiledOnce((db) =>
  sql<{ changes: number; isOpen: 0 | 1 }>`
    SELECT "changes", ${isOpenSite} AS "isOpen" FROM "searchState"`.compile(db),
)

/** The version, and whether visitors may search. */
export async function readIndexState(db: Connection) {
  const [row] = await selectIndexState(db, {})
  return { version: row?.changes ?? 0, isOpen: row?.isOpen === 1 }
}

const selectCount = compiledOnce(
  (db, { word, end, isPublic }: { word: string; end: string; isPublic: boolean }) => {
    const count = COUNT_FOR[isPublic ? 'everybody' : 'members']
    return sql<{ isWord: 0 | 1; videoCount: number; most: number }>`
      SELECT coalesce(max(CASE WHEN "term" = ${word} THEN 1 ELSE 0 END), 0) AS "isWord",
        CAST(coalesce(sum("videoCount"), 0) AS INTEGER) AS "videoCount",
        coalesce(max("videoCount"), 0) AS "most"
      FROM (
        SELECT "term", ${count} AS "videoCount" FROM "searchTerms"
        WHERE "term" >= ${word} AND "term" < ${end} AND ${count} > 0
        ORDER BY "term" LIMIT ${BEGINNINGS_MAX}
      ) AS "begun"`.compile(db)
  },
)

export async function countWord(
  db: Connection,
  { word, audience }: { word: string; audience: Audience },
): Promise<WordCount> {
  const isPublic = audience === 'everybody'
  const rows = await selectCount(db, { word, end: word + LAST_CHARACTER, isPublic })
  const { isWord, videoCount, most } = rows[0] ?? { isWord: 0, videoCount: 0, most: 0 }
  return { isWord: isWord === 1, videoCount, most }
}

export async function listBegunWords(
  db: Connection,
  { words, audience }: { words: string[]; audience: Audience },
): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    SELECT "wanted"."value" AS "word" FROM ${eachText(words)} AS "wanted"
    WHERE 1 = (
      SELECT 1 FROM "searchTerms"
      WHERE "term" >= "wanted"."value" AND "term" < "wanted"."value" || ${LAST_CHARACTER}
        AND ${COUNT_FOR[audience]} > 0 LIMIT 1
    )`.execute(db)
  return rows.map(({ word }) => word)
}

export async function listKnownWords(
  db: Connection,
  { words, audience }: { words: string[]; audience: Audience },
): Promise<KnownWord[]> {
  const count = COUNT_FOR[audience]
  const { rows } = await sql<KnownWord>`
    SELECT "term", ${count} AS "videoCount" FROM ${eachText(words)} AS "wanted"
    CROSS JOIN "searchTerms" WHERE "term" = "wanted"."value" AND ${count} > 0`.execute(db)
  return rows.sort((a, b) => b.videoCount - a.videoCount || (a.term < b.term ? -1 : 1))
}
