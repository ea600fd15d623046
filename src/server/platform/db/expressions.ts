import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Expression, engineExpression } from './engine-expressions.ts'
import { foldText } from './words.ts'

const ASCII = /^[\x20-\x7e]*$/

/** Columns `value` and `key`, the index from 0. */
export function eachOf(values: readonly number[]): Expression {
  return engineExpression('eachNumber', values)
}

export function eachText(values: readonly string[]): Expression {
  return engineExpression('eachText', values)
}

/** Right side of IN; one statement for any number of values. */
export function listOf(values: readonly number[]): RawBuilder<number> {
  return sql`(SELECT "value" FROM ${eachOf(values)} AS "listed")`
}

export function listOfTexts<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql`(SELECT "value" FROM ${eachText(values)} AS "listed")`
}

/** @param time ISO 8601 */
export function secondsSince(time: Expression): RawBuilder<number> {
  return engineExpression('secondsSince', time)
}

export function daysSince(time: Expression): RawBuilder<number> {
  return engineExpression('daysSince', time)
}

/** In the format of `timestamp`, by the database's clock, which all processes share. */
export function timeIn(milliseconds: number): RawBuilder<string> {
  return engineExpression('timeIn', milliseconds)
}

export function lesserOf(one: Expression, other: Expression): RawBuilder<number> {
  return engineExpression('lesserOf', one, other)
}

export function greaterOf(one: Expression, other: Expression): RawBuilder<number> {
  return engineExpression('greaterOf', one, other)
}

/** After a table: SQLite must use this index; nothing on PostgreSQL. */
export function readByIndex(name: string): Expression {
  return engineExpression('readByIndex', name)
}

/**
 * After a table: joins the rows of another whose ids a query finds for each row, such as its
 * newest. PostgreSQL before 17 would evaluate IN for each pair.
 * @param join.ids selects `id`; may name columns of the first table
 */
export function joinFound(join: { table: string; as: string; ids: Expression }): Expression {
  return engineExpression('joinFound', join)
}

export function foldedText(text: Expression): RawBuilder<string> {
  return engineExpression('foldedText', text)
}

/** @param part folded or not */
export function containsFolded(folded: Expression, part: string): RawBuilder<SqlBool> {
  return engineExpression('contains', folded, foldText(part))
}

/**
 * Ignores case, and accents if `text` goes beyond ASCII, which the engine compares itself, ten
 * times as fast.
 */
export function containsText(columns: string[], text: string): RawBuilder<SqlBool> {
  const isPlain = ASCII.test(text)
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const parts = columns.map((name) => {
    const column = sql.ref(name)
    if (isPlain) return engineExpression('isLike', column, pattern)
    return containsFolded(foldedText(sql`coalesce(${column}, '')`), text)
  })
  return sql`(${sql.join(parts, sql` OR `)})`
}
