import type { Database as Sqlite } from 'better-sqlite3'
import { openSqlite } from './open.ts'

const CACHE_KIB = 512 * 1024

export type BulkValue = string | number | null

export type BulkStatements = {
  nextId: (table: string) => number
  prepareInsert: (table: string, columns: readonly string[]) => (row: readonly BulkValue[]) => void
}

/** Nobody else may write to the file. */
export function runBulkInsert<Result>(
  path: string,
  work: (statements: BulkStatements) => Result,
): Result {
  const sqlite = openSqlite(path)
  try {
    sqlite.pragma(`cache_size = -${CACHE_KIB}`)
    // Sorting for an index may exceed memory.
    sqlite.pragma('temp_store = FILE')
    return sqlite
      .transaction(() => withIndexesBuiltLast(sqlite, () => work(createStatements(sqlite))))
      .exclusive()
  } finally {
    sqlite.close()
  }
}

/** A fraction of the time of updating indexes per row. */
function withIndexesBuiltLast<Result>(sqlite: Sqlite, work: () => Result): Result {
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

function createStatements(sqlite: Sqlite): BulkStatements {
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
