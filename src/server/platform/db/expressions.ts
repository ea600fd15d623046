import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Expression, engineExpression } from './engine-expressions.ts'
import { foldText } from './words.ts'

/** Expressions that each engine has its own words for. */

const ASCII = /^[\x20-\x7e]*$/

/** A table of the values, in which `value` is each of them and `key` its place, counted from 0. */
export function eachOf(values: readonly number[]): Expression {
  return engineExpression('eachNumber', values)
}

/** As `eachOf`, of texts. */
export function eachText(values: readonly string[]): Expression {
  return engineExpression('eachText', values)
}

/** The numbers as the right side of IN: the statement is the same however many. */
export function listOf(values: readonly number[]): RawBuilder<number> {
  return sql`(SELECT "value" FROM ${eachOf(values)} AS "listed")`
}

/** As `listOf`, of texts. */
export function listOfTexts<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql`(SELECT "value" FROM ${eachText(values)} AS "listed")`
}

/** @param time ISO 8601 */
export function secondsSince(time: Expression): RawBuilder<number> {
  return engineExpression('secondsSince', time)
}

/** @param time ISO 8601 */
export function daysSince(time: Expression): RawBuilder<number> {
  return engineExpression('daysSince', time)
}

/**
 * The present moment and so many milliseconds, as `timestamp` writes it: by the clock of the database, which several
 * processes have in common.
 */
export function timeIn(milliseconds: number): RawBuilder<string> {
  return engineExpression('timeIn', milliseconds)
}

export function lesserOf(one: Expression, other: Expression): RawBuilder<number> {
  return engineExpression('lesserOf', one, other)
}

export function greaterOf(one: Expression, other: Expression): RawBuilder<number> {
  return engineExpression('greaterOf', one, other)
}

/** After a table: SQLite reads it by this index, whatever its planner thinks. */
export function readByIndex(name: string): Expression {
  return engineExpression('readByIndex', name)
}

/**
 * After a table: joins the rows of another whose ids a query finds for each row of the first, such as its newest ones.
 * PostgreSQL before 17 would ask IN for each pair of rows.
 * @param join.as how the statement names the other table
 * @param join.ids selects `id`, and may name columns of the first table
 */
export function joinFound(join: { table: string; as: string; ids: Expression }): Expression {
  return engineExpression('joinFound', join)
}

/** A text as a filter box compares it, without case and accents. */
export function foldedText(text: Expression): RawBuilder<string> {
  return engineExpression('foldedText', text)
}

/** Whether a folded text contains `part`, folded or not. */
export function containsFolded(folded: Expression, part: string): RawBuilder<SqlBool> {
  return engineExpression('contains', folded, foldText(part))
}

/**
 * SQL: one of the columns contains `text`, whatever its case; for letters beyond a to z whatever their
 * accents too. Plain words are compared by the engine itself, some ten times as fast.
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
