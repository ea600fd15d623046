import type { Database as Sqlite } from 'better-sqlite3'
import { openSqlite } from './open.ts'

const CACHE_KIB = 512 * 1024

export type BulkValue = string | number | null

/** Inserts rows one by one, with statements that are prepared once. */
export type BulkWriter = {
  /** The id that the next row of a table would get. */
  nextId: (table: string) => number
  prepareInsert: (table: string, columns: readonly string[]) => (row: readonly BulkValue[]) => void
}

/**
 * Runs `work` as one transaction on a database file that nobody else writes to: all of its rows are
 * there afterwards, or none.
 */
export function writeInBulk<Result>(path: string, work: (writer: BulkWriter) => Result): Result {
  const sqlite = openSqlite(path)
  try {
    sqlite.pragma(`cache_size = -${CACHE_KIB}`)
    // What is sorted for an index need not fit into memory.
    sqlite.pragma('temp_store = FILE')
    return sqlite
      .transaction(() => withIndexesMadeLast(sqlite, () => work(createBulkWriter(sqlite))))
      .exclusive()
  } finally {
    sqlite.close()
  }
}

/** An index that is sorted once takes a fraction of the time of one that grows with each row. */
function withIndexesMadeLast<Result>(sqlite: Sqlite, work: () => Result): Result {
  const indexes = sqlite
    .prepare<[], { name: string; sql: string }>(
      `SELECT "name", "sql" FROM "sqlite_schema" WHERE "type" = 'index' AND "sql" IS NOT NULL`,
    )
    .all()
  for (const { name } of indexes) sqlite.exec(`DROP INDEX "${name}"`)
  const result = work()
  for (const { sql } of indexes) sqlite.exec(sql)
  return result
}

function createBulkWriter(sqlite: Sqlite): BulkWriter {
  return {
    nextId: (table) =>
      (sqlite
        .prepare<[string], number>('SELECT "seq" FROM "sqlite_sequence" WHERE "name" = ?')
        .pluck()
        .get(table) ?? 0) + 1,
    prepareInsert(table, columns) {
      const names = columns.map((column) => `"${column}"`).join(', ')
      const placeholders = columns.map(() => '?').join(', ')
      const statement = sqlite.prepare(`INSERT INTO "${table}" (${names}) VALUES (${placeholders})`)
      return (row) => statement.run(row)
    },
  }
}
