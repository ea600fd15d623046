import { sql } from 'kysely'
import type { EngineExpressions } from '../engine-expressions.ts'
import { isPlace } from '../place.ts'

const each = (values: readonly (number | string)[]) =>
  sql`json_each(${isPlace(values) ? { ...values, isJson: true } : JSON.stringify(values)})`

export const sqliteExpressions: EngineExpressions = {
  eachNumber: each,
  eachText: each,
  eachOfJson: (json) => sql`json_each(${json})`,
  secondsSince: (time) => sql`(unixepoch() - unixepoch(${time}))`,
  daysSince: (time) => sql`(julianday('now') - julianday(${time}))`,
  timeIn: (milliseconds) => sql`${new Date(Date.now() + milliseconds).toISOString()}`,
  lesserOf: (one, other) => sql`min(${one}, ${other})`,
  greaterOf: (one, other) => sql`max(${one}, ${other})`,
  readByIndex: (name) => sql`INDEXED BY ${sql.id(name)}`,
  joinFound: ({ table, as, ids }) =>
    sql`JOIN ${sql.table(table)} AS ${sql.id(as)} ON ${sql.id(as, 'id')} IN (${ids})`,
  /** Most text is ASCII: folding 20,000 titles in JavaScript would block the event loop. */
  foldedText: (text) =>
    sql`CASE WHEN ${text} GLOB '*[^ -~]*' THEN foldText(${text}) ELSE lower(${text}) END`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  isLike: (text, pattern) => sql`${text} LIKE ${pattern} ESCAPE '\\'`,
}
