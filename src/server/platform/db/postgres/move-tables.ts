import type pg from 'pg'
import {
  isCopied,
  isMoved,
  quoteName,
  quoteNames,
  type Row,
  type Table,
  type TableReader,
  type ValueType,
} from '../move/move-ends.ts'

const BATCH_ROWS = 1000
const TYPES: Record<string, ValueType> = {
  bigint: 'integer',
  'double precision': 'real',
  text: 'text',
  citext: 'text',
  bytea: 'blob',
}

export type Ask = <Answer>(text: string, values?: unknown[]) => Promise<Answer[]>

export function asking(client: pg.Client): Ask {
  return async <Answer>(text: string, values: unknown[] = []) =>
    (await client.query(text, values)).rows as Answer[]
}

export async function listTableNames(ask: Ask): Promise<string[]> {
  const rows = await ask<{ name: string }>(`
    SELECT "relname" AS "name" FROM "pg_class"
    WHERE "relnamespace" = current_schema()::regnamespace AND "relkind" = 'r'
    ORDER BY "relname" COLLATE "C"`)
  return rows.map(({ name }) => name)
}

/** @param ask in a transaction while rows are read */
export function readPostgresTables(ask: Ask): TableReader {
  return {
    async listTables() {
      const names = (await listTableNames(ask)).filter(isCopied)
      const tables: Table[] = []
      for (const name of names) tables.push(await describeTable(ask, name))
      return tables
    },
    async *readRows(table) {
      const columns = quoteNames(table.columns.map(({ name }) => name))
      await ask(`DECLARE "moved" NO SCROLL CURSOR FOR
        SELECT ${columns} FROM ${quoteName(table.name)} ORDER BY ${quoteNames(table.key)}`)
      // Read by the server while this one is processed.
      const fetch = () => ask<Row>(`FETCH ${BATCH_ROWS} FROM "moved"`)
      for (let next = fetch(); ; ) {
        const rows = await next
        if (rows.length === 0) break
        next = fetch()
        next.catch(() => {})
        yield rows
      }
      await ask('CLOSE "moved"')
    },
    async readLastIds() {
      const sequences = await listSequences(ask)
      const lastIds = new Map<string, number>()
      for (const { table, sequence } of sequences) {
        const [row] = await ask<{ id: number; isCalled: number }>(
          `SELECT "last_value" AS "id", "is_called" AS "isCalled" FROM ${sequence}`,
        )
        if (row?.isCalled) lastIds.set(table, row.id)
      }
      return lastIds
    },
  }
}

/** Of id columns, with quoted names. */
export function listSequences(ask: Ask) {
  return ask<{ table: string; column: string; sequence: string }>(`
    SELECT "c"."relname" AS "table", "a"."attname" AS "column",
      pg_get_serial_sequence(quote_ident("c"."relname"), "a"."attname") AS "sequence"
    FROM "pg_attribute" AS "a" JOIN "pg_class" AS "c" ON "c"."oid" = "a"."attrelid"
    WHERE "c"."relnamespace" = current_schema()::regnamespace AND "c"."relkind" = 'r'
      AND "a"."attidentity" <> '' AND NOT "a"."attisdropped"`)
}

async function describeTable(ask: Ask, name: string): Promise<Table> {
  const found = await ask<{ name: string; type: string; place: number | null }>(
    `SELECT "a"."attname" AS "name", format_type("a"."atttypid", NULL) AS "type",
      array_position("k"."conkey", "a"."attnum") AS "place"
    FROM "pg_class" AS "c" JOIN "pg_attribute" AS "a" ON "a"."attrelid" = "c"."oid"
    LEFT JOIN "pg_constraint" AS "k" ON "k"."conrelid" = "c"."oid" AND "k"."contype" = 'p'
    WHERE "c"."relnamespace" = current_schema()::regnamespace AND "c"."relname" = $1
      AND "a"."attnum" > 0 AND NOT "a"."attisdropped"
    ORDER BY "a"."attname" COLLATE "C"`,
    [name],
  )
  const columns = found.filter((column) => isMoved(name, column.name))
  const key = columns
    .filter((column) => column.place !== null)
    .sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, type: typeOf(column.type) })),
    key: key.map((column) => column.name),
  }
}

function typeOf(word: string): ValueType {
  const type = TYPES[word]
  if (!type) throw new Error(`No column should be of the type ${word}.`)
  return type
}
