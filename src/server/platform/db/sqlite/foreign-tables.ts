import { copyFile, open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { CommandError } from '#server/platform/errors.ts'
import { formatBytes } from '#shared/text/format.ts'
import { openUntrustedSqlite } from './open.ts'

const HEADER = 'SQLite format 3\0'
/** Files beside a database that another program has open or did not close. */
const BESIDE = ['-wal', '-journal']

/** Such a database has some kilobytes for each video. */
const BYTES_MAX = 1024 ** 3

type Row = Record<string, unknown>

export type ForeignTables = {
  /** Returns an empty array for a missing table. */
  columnsOf: (table: string) => string[]
  /** Returns rows with those of `columns` that the table has, and no rows for a missing table. */
  rowsOf: (table: string, columns: readonly string[]) => Iterable<Row>
}

/**
 * Reads a copy of another program's database, so that no file of that program is written.
 * @param input.folder an empty one for the copy, which the caller deletes
 * @returns undefined if the file is not an SQLite database
 * @throws SqliteError if the database is damaged; CommandError if it is too large to copy
 */
export async function readForeignTables<Result>(
  { path, folder }: { path: string; folder: string },
  read: (tables: ForeignTables) => Result,
): Promise<Result | undefined> {
  if (!(await hasHeader(path))) return undefined
  const copy = join(folder, basename(path))
  let bytes = 0
  for (const suffix of ['', ...BESIDE]) {
    const stats = await stat(path + suffix).catch(() => undefined)
    if (!stats?.isFile()) continue
    bytes += stats.size
    if (bytes > BYTES_MAX)
      throw new CommandError(`${path} is larger than ${formatBytes(BYTES_MAX)}.`)
    await copyFile(path + suffix, copy + suffix)
  }
  const sqlite = openUntrustedSqlite(copy)
  try {
    return read(tablesOf(sqlite))
  } finally {
    sqlite.close()
  }
}

async function hasHeader(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0)
    return bytesRead === HEADER.length && buffer.toString('latin1') === HEADER
  } finally {
    await file.close()
  }
}

/** Views and virtual tables could compute without end. */
function tablesOf(sqlite: Sqlite.Database): ForeignTables {
  const isPlain = sqlite.prepare<[string]>(
    `SELECT 1 FROM "sqlite_schema"
     WHERE "type" = 'table' AND "name" = ? AND "sql" NOT LIKE 'CREATE VIRTUAL%'`,
  )
  const columnsOf = (table: string) =>
    isPlain.get(table) === undefined
      ? []
      : sqlite
          .prepare<[string], string>('SELECT "name" FROM pragma_table_info(?)')
          .pluck()
          .all(table)
  return {
    columnsOf,
    rowsOf(table, columns) {
      const there = new Set(columnsOf(table))
      const known = columns.filter((name) => there.has(name))
      if (known.length === 0) return []
      const names = known.map((name) => `"${name}"`).join(', ')
      return sqlite.prepare<[], Row>(`SELECT ${names} FROM "${table}"`).iterate()
    },
  }
}
