import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Expressions that each engine has its own words for; another engine is another file like this. */

type Expression = RawBuilder<unknown>

/** A table of the values, in which `value` is each of them and `key` its place, counted from 0. */
export function eachOf(values: readonly (number | string)[]): Expression {
  return sql`json_each(${JSON.stringify(values)})`
}

/** The values as the right side of IN: the statement is the same whatever their number. */
export function listOf<Value extends number | string>(values: readonly Value[]): RawBuilder<Value> {
  return sql`(SELECT "value" FROM ${eachOf(values)})`
}

/** @param time ISO 8601 */
export function secondsSince(time: Expression): RawBuilder<number> {
  return sql`(unixepoch() - unixepoch(${time}))`
}

/** @param time ISO 8601 */
export function daysSince(time: Expression): RawBuilder<number> {
  return sql`(julianday('now') - julianday(${time}))`
}

export function lesserOf(one: Expression, other: Expression): RawBuilder<number> {
  return sql`min(${one}, ${other})`
}

export function greaterOf(one: Expression, other: Expression): RawBuilder<number> {
  return sql`max(${one}, ${other})`
}

/** After a table: it is read by this index, whatever the planner thinks. */
export function readByIndex(name: string): Expression {
  return sql`INDEXED BY ${sql.id(name)}`
}

/**
 * A text as a filter box compares it, without case and accents. Plain ones, which most are, never leave
 * SQLite: folding 20,000 titles in JavaScript would hold everybody up.
 */
export function foldedText(text: Expression): RawBuilder<string> {
  return sql`CASE WHEN ${text} GLOB '*[^ -~]*' THEN foldText(${text}) ELSE lower(${text}) END`
}

/** Whether a folded text contains `part`, folded or not. */
export function containsFolded(folded: Expression, part: string): RawBuilder<SqlBool> {
  return sql`instr(${folded}, foldText(${part})) > 0`
}
