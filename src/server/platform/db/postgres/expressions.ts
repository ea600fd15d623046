import { sql } from 'kysely'
import type { EngineExpressions } from '../engine-expressions.ts'

const LAST_CODE_POINT = 0x10ffff

export const postgresExpressions: EngineExpressions = {
  eachNumber: (values) => sql`(
    SELECT "value", "place" - 1 AS "key"
    FROM unnest(${values}::bigint[]) WITH ORDINALITY AS "each" ("value", "place")
  )`,
  eachText: (values) => sql`(
    SELECT "value" COLLATE "C" AS "value", "place" - 1 AS "key"
    FROM unnest(${values}::text[]) WITH ORDINALITY AS "each" ("value", "place")
  )`,
  eachOfJson: (json) => sql`(
    SELECT "value" COLLATE "C" AS "value", "place" - 1 AS "key"
    FROM jsonb_array_elements_text(${json}::jsonb) WITH ORDINALITY AS "each" ("value", "place")
  )`,
  secondsSince: (time) =>
    sql`(floor(extract('epoch' FROM now())) - floor(extract('epoch' FROM ${time}::timestamptz)))`,
  // `numeric` takes several times as long.
  daysSince: (time) => sql`(extract('epoch' FROM now() - ${time}::timestamptz)::float8 / 86400)`,
  timeIn: (milliseconds) => sql`to_char(
    clock_timestamp() AT TIME ZONE 'UTC' + ${milliseconds} * INTERVAL '1 millisecond',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
  ) COLLATE "C"`,
  lesserOf: (one, other) => sql`least(${one}, ${other})`,
  greaterOf: (one, other) => sql`greatest(${one}, ${other})`,
  readByIndex: () => sql``,
  joinFound: ({ table, as, ids }) => sql`CROSS JOIN LATERAL (${ids}) AS "each"
    JOIN ${sql.table(table)} AS ${sql.id(as)} ON ${sql.id(as, 'id')} = "each"."id"`,
  foldedText: (text) => sql`CASE
    WHEN ${text} ~ '[^ -~]' THEN lower(
      regexp_replace(normalize(${text}, NFD), ${sql.lit(marks())}, '', 'g') COLLATE "und-x-icu"
    ) COLLATE "C"
    ELSE lower(${text})
  END`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  isLike: (text, pattern) => sql`${text} ILIKE ${pattern}`,
}

let allMarks: string | undefined

/** Removed by `foldText`; PostgreSQL has no `\p{M}`. */
function marks(): string {
  if (allMarks !== undefined) return allMarks
  const ranges: string[] = []
  let first: number | undefined
  for (let code = 0; code <= LAST_CODE_POINT + 1; code++) {
    const isMark = code <= LAST_CODE_POINT && /\p{M}/u.test(String.fromCodePoint(code))
    if (isMark) first ??= code
    else if (first !== undefined) {
      ranges.push(`${writeCodePoint(first)}-${writeCodePoint(code - 1)}`)
      first = undefined
    }
  }
  allMarks = `[${ranges.join('')}]`
  return allMarks
}

const writeCodePoint = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
