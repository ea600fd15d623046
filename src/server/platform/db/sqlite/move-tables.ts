import type Sqlite from 'better-sqlite3'
import {
  isCopied,
  isMoved,
  isOfSite,
  quoteName,
  quoteNames,
  type Row,
  type Table,
  type TableReader,
  type ValueType,
} from '../move/move-ends.ts'

const BATCH_ROWS = 1000
const TYPES: Record<string, ValueType> = {
  INTEGER: 'integer',
  REAL: 'real',
  TEXT: 'text',
  BLOB: 'blob',
}

/** No shadow tables of full-text indexes. */
export function listTableNames(sqlite: Sqlite.Database): string[] {
  return sqlite
    .prepare<[], string>(`
      SELECT "name" FROM "pragma_table_list" WHERE "schema" = 'main' AND "type" = 'table'
      ORDER BY "name"`)
    .pluck()
    .all()
    .filter(isOfSite)
}

/** The reader needs the file for itself. */
export function readSqliteTables(sqlite: Sqlite.Database): TableReader {
  return {
    async listTables() {
      return listTableNames(sqlite).filter(isCopied).map(describeTable)
    },
    async *readRows(table) {
      const columns = quoteNames(table.columns.map(({ name }) => name))
      const rows = sqlite
        .prepare<[], Row>(
          `SELECT ${columns} FROM ${quoteName(table.name)} ORDER BY ${quoteNames(table.key)}`,
        )
        .iterate()
      let batch: Row[] = []
      for (const row of rows) {
        if (batch.push(row) < BATCH_ROWS) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async readLastIds() {
      const rows = sqlite
        .prepare<[], { name: string; seq: number }>('SELECT "name", "seq" FROM "sqlite_sequence"')
        .all()
      return new Map(rows.map(({ name, seq }) => [name, seq]))
    },
  }

  function describeTable(name: string): Table {
    const columns = sqlite
      .prepare<[string], { name: string; type: string; pk: number }>(
        'SELECT "name", "type", "pk" FROM pragma_table_info(?) ORDER BY "name"',
      )
      .all(name)
      .filter((column) => isMoved(name, column.name))
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    return {
      name,
      columns: columns.map((column) => ({ name: column.name, type: typeOf(column.type) })),
      key: key.map((column) => column.name),
    }
  }
}

function typeOf(word: string): ValueType {
  const type = TYPES[word]
  if (!type) throw new Error(`No column should be of the type ${word}.`)
  return type
}
