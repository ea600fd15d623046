import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** A line for each column, constraint, index and trigger, the same whichever engine has it; sorted. */
export type DescribedSchema = string[]

/** SQLite's words for what PostgreSQL has others for, as they are written in a table's statement. */
const TYPES: Record<string, string> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  REAL: 'double precision',
  BLOB: 'bytea',
}
/** Tables that only one engine has: the migrator's, and what a search index is made of. */
const OWN_TABLES = /^(sqlite_|kysely_|videoSearch|channelSearch)/

type Column = {
  table: string
  name: string
  type: string
  isNullable: number
  default: string | null
}
type Key = { table: string; columns: string }
type Foreign = Key & { to: string; onDelete: string }
type Named = { table: string; name: string; sql: string }

export async function describeSqlite(db: Database): Promise<DescribedSchema> {
  const ask = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows
  const tables = await ask(sql<{ name: string; sql: string }>`
    SELECT "name", "sql" FROM "sqlite_schema" WHERE "type" = 'table' ORDER BY "name"`)
  const lines: string[] = []
  for (const { name: table, sql: text } of tables) {
    if (OWN_TABLES.test(table)) continue
    const columns = await ask(
      sql<{
        name: string
        type: string
        notnull: number
        dflt_value: string | null
        pk: number
      }>`SELECT * FROM pragma_table_info(${table})`,
    )
    for (const { name, type, notnull, dflt_value, pk } of columns) {
      const ignoresCase = text.includes(`"${name}" TEXT NOT NULL COLLATE NOCASE`)
      const shape = { table, name, type: ignoresCase ? 'citext' : (TYPES[type] ?? type) }
      const isNullable = Number(notnull === 0 && pk === 0)
      lines.push(describeColumn({ ...shape, isNullable, default: dflt_value }))
    }
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    lines.push(describeKey('primary', { table, columns: primary.map(({ name }) => name).join() }))
    const uniques = await ask(sql<{ columns: string }>`
      SELECT group_concat("info"."name") AS "columns"
      FROM pragma_index_list(${table}) AS "list", pragma_index_info("list"."name") AS "info"
      WHERE "list"."origin" = 'u' GROUP BY "list"."name"`)
    for (const { columns } of uniques) lines.push(describeKey('unique', { table, columns }))
    const foreign = await ask(sql<Foreign>`
      SELECT ${table} AS "table", "from" AS "columns", "table" || '.' || "to" AS "to", "on_delete" AS "onDelete"
      FROM pragma_foreign_key_list(${table})`)
    lines.push(...foreign.map(describeForeign))
    lines.push(...listChecks(text).map((check) => `${table}: ${check}`))
  }
  const rest = await ask(sql<Named & { type: string }>`
    SELECT "type", "tbl_name" AS "table", "name", "sql" FROM "sqlite_schema"
    WHERE "type" IN ('index', 'trigger') AND "sql" IS NOT NULL`)
  for (const row of rest) {
    lines.push(row.type === 'index' ? describeIndex(row) : `${row.table}: trigger ${row.name}`)
  }
  return lines.sort()
}

export async function describePostgres(db: Database): Promise<DescribedSchema> {
  const ask = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows
  const columns = await ask(sql<Column>`
    SELECT c.relname AS "table", a.attname AS "name", format_type(a.atttypid, NULL) AS "type",
      NOT a.attnotnull AS "isNullable", pg_get_expr(d.adbin, d.adrelid) AS "default"
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`)
  const constraints = await ask(sql<Foreign & { kind: string; text: string }>`
    SELECT c.relname AS "table", k.contype AS "kind", pg_get_constraintdef(k.oid) AS "text",
      (SELECT string_agg(a.attname, ',' ORDER BY n.place)
        FROM unnest(k.conkey) WITH ORDINALITY AS n(num, place)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.num) AS "columns",
      f.relname || '.id' AS "to",
      CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END AS "onDelete"
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class f ON f.oid = k.confrelid
    WHERE k.connamespace = 'public'::regnamespace`)
  const indexes = await ask(sql<Named>`
    SELECT c.relname AS "table", i.relname AS "name", pg_get_indexdef(i.oid) AS "sql"
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    WHERE c.relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u'))`)
  const triggers = await ask(sql<{ table: string; name: string }>`
    SELECT c.relname AS "table", t.tgname AS "name"
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgname <> 'noteChange'`)
  const shown = <Row extends { table: string }>(rows: Row[]) =>
    rows.filter(({ table }) => !OWN_TABLES.test(table))
  return [
    ...shown(columns).map(describeColumn),
    ...shown(constraints).flatMap((constraint) => {
      if (constraint.kind === 'p') return describeKey('primary', constraint)
      if (constraint.kind === 'u') return describeKey('unique', constraint)
      if (constraint.kind === 'f') return describeForeign(constraint)
      return listChecks(constraint.text).map((check) => `${constraint.table}: ${check}`)
    }),
    ...shown(indexes).map(describeIndex),
    ...shown(triggers).map(({ table, name }) => `${table}: trigger ${name}`),
  ].sort()
}

function describeColumn({ table, name, type, isNullable, ...rest }: Column): string {
  const standard = rest.default?.replace(/::(text|bigint|citext|double precision)$/, '')
  return `${table}: ${name} ${type}${isNullable ? '' : ' not null'}${standard ? ` default ${standard}` : ''}`
}

function describeKey(kind: 'primary' | 'unique', { table, columns }: Key): string {
  return `${table}: ${kind} ${columns}`
}

function describeForeign({ table, columns, to, onDelete }: Foreign): string {
  return `${table}: ${columns} to ${to} on delete ${onDelete}`
}

function describeIndex({ table, name, sql: text }: Named): string {
  const isUnique = /^CREATE UNIQUE/.test(text)
  const of = text.slice(text.indexOf('(', text.indexOf(' ON ')))
  return `${table}: ${isUnique ? 'unique ' : ''}index ${name} ${simplify(of)}`
}

/** The conditions in a statement, each once. */
function listChecks(text: string): string[] {
  const checks: string[] = []
  for (const { index } of text.matchAll(/\bCHECK \(/g)) {
    let depth = 0
    let at = text.indexOf('(', index)
    const from = at
    do {
      if (text[at] === '(') depth++
      if (text[at] === ')') depth--
      at++
    } while (depth > 0)
    checks.push(`check ${simplify(text.slice(from, at))}`)
  }
  return checks
}

/** A condition without what engines write in ways of their own: casts, brackets, lists and ranges. */
function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/::(text|bigint|numeric|double precision)(\[\])?/g, '')
    .replace(/["()\s]/g, '')
    .replace(/=anyarray\[([^\]]*)\]/g, 'in$1')
    .replace(/(\w+)between(\d+)and(\d+)/g, '$1>=$2and$1<=$3')
    .replace(
      /^((?:\w+isnotnull\+?)+)(<?=1)$/,
      (_, columns: string, most) =>
        `num_nonnulls${columns.replaceAll('isnotnull', '').replaceAll('+', ',')}${most}`,
    )
}
