import Sqlite from 'better-sqlite3'
import {
  type Dialect,
  type QueryExecutorProvider,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { foldText } from './words.ts'

// Before this version a WAL reset could lose commits that had been acknowledged.
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 2000
const PREPARED_STATEMENTS_MAX = 1000
const WRITING = ['write', 'fsync', 'fdatasync']
const FAILED_WRITES = ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']

/**
 * Opens a database file as the product's durability rules want it, creating it when it is not there.
 * See docs/decisions/0005-portable-schema.md.
 */
export function openSqlite(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('temp_store = MEMORY')
  // KiB. The system keeps the file's pages anyway; a second copy of them is only memory.
  sqlite.pragma('cache_size = -3000')
  addFunctions(sqlite)
  requireSafeSqlite(sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0')
  return sqlite
}

/** What our statements call; nothing in the database does, so that other programs can change it. */
function addFunctions(sqlite: Sqlite.Database): void {
  sqlite.function('foldText', { deterministic: true }, (value) => foldText(String(value)))
}

/**
 * Opens an existing database file, of a running site or of a backup, through which nothing can be
 * changed.
 * @throws when there is no such file
 */
export function openSqliteToRead(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('temp_store = MEMORY')
  sqlite.pragma('query_only = ON')
  addFunctions(sqlite)
  return sqlite
}

/** Differs after another connection committed anything. */
export async function readDataVersion(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(db)
  return rows[0]?.data_version ?? 0
}

/**
 * A dialect that caches its prepared statements: preparing costs more than most of our reads.
 * See docs/decisions/0003-one-synchronous-connection.md.
 */
export function sqliteDialect(sqlite: Sqlite.Database): Dialect {
  const statements = new Map<string, Sqlite.Statement>()
  const prepare = (source: string): Sqlite.Statement => {
    // A full disk makes SQLite roll back by itself; a second rollback would hide why.
    if (source === 'rollback' && !sqlite.inTransaction) return sqlite.prepare('SELECT 0')
    const known = statements.get(source)
    if (known) return known
    const statement = sqlite.prepare(source)
    if (statements.size >= PREPARED_STATEMENTS_MAX) statements.clear()
    statements.set(source, statement)
    return statement
  }
  return new TransactionalDialect({ database: { prepare, close: () => sqlite.close() } as never })
}

/** Migrations go into one transaction: SQLite can take back changes of the schema, too. */
class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new StablePlanCompiler()
  }
}

/**
 * Writes parameters as `+?`, which means the same, but whose values the planner does not look at: SQLite 3.54 would
 * plan a statement anew each time its bindings were cleared, which better-sqlite3 does after each run.
 * See docs/decisions/0003-one-synchronous-connection.md.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The migrations that a database has seen, in their order; none of a new one. */
export async function listDoneMigrations(db: QueryExecutorProvider): Promise<string[]> {
  const found = await sql`SELECT 1 FROM "sqlite_schema" WHERE "name" = 'kysely_migration'`.execute(
    db,
  )
  if (found.rows.length === 0) return []
  const done = await sql<{
    name: string
  }>`SELECT "name" FROM "kysely_migration" ORDER BY "name"`.execute(db)
  return done.rows.map((row) => row.name)
}

export async function hasRows(db: QueryExecutorProvider, table: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Whether a database file can be read from end to end; quicker than looking at its indexes, too. */
export async function isSoundFile(path: string): Promise<boolean> {
  const sqlite = new Sqlite(path, { readonly: true, fileMustExist: true })
  try {
    return sqlite.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isDamaged(error)) return false
    throw error
  } finally {
    sqlite.close()
  }
}

/** Writes a whole, consistent copy of a database to a new file while others go on using it. */
export function copyDatabase(from: string, to: string): void {
  const sqlite = new Sqlite(from, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  try {
    sqlite.prepare('VACUUM INTO ?').run(to)
  } finally {
    sqlite.close()
  }
}

/** What is wrong inside the database file, a sentence each: damaged pages, rows that point nowhere. */
export async function listDatabaseDamage(db: QueryExecutorProvider): Promise<string[]> {
  try {
    const checks = await sql<{ integrity_check: string }>`PRAGMA integrity_check(20)`.execute(db)
    const found = checks.rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
    if (found.length > 0) return found.map((text) => `SQLite says: ${text}`)
    const loose = await sql<LooseRow>`
      SELECT "table", "parent", count(*) AS "count" FROM "pragma_foreign_key_check"
      GROUP BY "table", "parent"`.execute(db)
    return loose.rows.map(({ table, parent, count }) =>
      count === 1
        ? `A row of ${table} points to a row of ${parent} that is not there.`
        : `${count} rows of ${table} point to rows of ${parent} that are not there.`,
    )
  } catch (error) {
    if (isDamaged(error)) return [`SQLite says: ${(error as Error).message}`]
    throw error
  }
}

type LooseRow = { table: string; parent: string; count: number }

export function isUniqueViolation(error: unknown): boolean {
  return (
    hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE') || hasCode(error, 'SQLITE_CONSTRAINT_PRIMARYKEY')
  )
}

/** What a new row refers to was deleted after it had been looked up. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, 'SQLITE_CONSTRAINT_FOREIGNKEY')
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY') || hasCode(error, 'SQLITE_LOCKED')
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'SQLITE_FULL') || hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')
}

/** The disk did not take what was written, or did not say that it keeps it. */
export function isFailedWrite(error: unknown): boolean {
  const syscall = hasCode(error, 'EIO') && 'syscall' in error ? error.syscall : undefined
  return WRITING.includes(String(syscall)) || FAILED_WRITES.some((code) => hasCode(error, code))
}

/** The file is no database, or its pages are broken. */
export function isDamaged(error: unknown): boolean {
  return hasCode(error, 'SQLITE_NOTADB') || hasCode(error, 'SQLITE_CORRUPT')
}

function hasCode(error: unknown, code: string): error is Error {
  if (!(error instanceof Error && 'code' in error)) return false
  return typeof error.code === 'string' && error.code.startsWith(code)
}

function requireSafeSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  const oldest = OLDEST_SQLITE.split('.').map(Number)
  const different = parts.findIndex((part, index) => part !== oldest[index])
  if (different >= 0 && (parts[different] ?? 0) < (oldest[different] ?? 0)) {
    throw new Error(`SQLite ${version} can lose data; ${OLDEST_SQLITE} or newer is needed.`)
  }
}
