/** See docs/decisions/0046-moving-between-databases.md. */

export type Value = string | number | Uint8Array | null
/** In the order of the column names. */
export type Row = Record<string, Value>
export type ValueType = 'integer' | 'real' | 'text' | 'blob'

export type Table = {
  name: string
  columns: { name: string; type: ValueType }[]
  /** Of the primary key, in its order. */
  key: string[]
}

/** Without tables from which the engine builds a search index. */
export type TableReader = {
  listTables: () => Promise<Table[]>
  /** In the order of the key, in batches of some hundreds. Do not use the reader meanwhile. */
  readRows: (table: Table) => AsyncIterable<Row[]>
  /** The highest id ever assigned, by table. */
  readLastIds: () => Promise<Map<string, number>>
}

/** Nobody else can write while it is open; unchanged when the process ends without closing it. */
export type MoveSource = TableReader & {
  /** The key of a row with the character U+0000, which PostgreSQL does not store. */
  findZeroCharacter: (table: Table) => Promise<string | undefined>
  /** The database refuses all writes from then on. */
  markMoved: (address: string) => Promise<void>
  close: () => Promise<void>
}

/** Kept in the target of an unfinished move. */
export type NoteKind = 'source' | 'table' | 'statement'

/** No site starts on it before `finish`. */
export type MoveTarget = TableReader & {
  /** Empty for a database that is no target. */
  readNotes: (kind: NoteKind) => Promise<Map<string, string>>
  begin: (sourceId: string) => Promise<void>
  /** Also triggers and foreign keys, which would slow down the insertion of rows known to be correct. */
  dropIndexes: () => Promise<void>
  /**
   * In one transaction with the note.
   * @param note called when all rows were taken
   */
  replaceRows: (
    table: Table,
    input: { rows: AsyncIterable<Row[]>; note: () => string },
  ) => Promise<void>
  forget: (tableName: string) => Promise<void>
  /** Recreates what `dropIndexes` dropped; new rows get ids above the highest ever assigned. */
  restore: (lastIds: Map<string, number>) => Promise<void>
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** In the data folder that a move leaves. */
export const MOVE_LOCK_FILE = 'database-move.lock'
/** Has rows, of the kinds `NoteKind`, in the target of a move. */
export const NOTES_TABLE = 'unfinishedMove'
/** Has a row with the new address in a database that a site left. */
export const MOVED_TABLE = 'movedTo'
export const MOVED_MESSAGE = 'the site has moved to another database'

const REBUILT = [
  ...['videoSearch', 'channelSearch', 'searchedVideos', 'searchTerms', 'searchTags'],
  ...['searchState', 'searchOutbox'],
]
/** Not moved, and writable during a move. */
export const EPHEMERAL_TABLES = ['nodes', 'rateCounts', 'watching']
const INTERNAL_TABLES = /^(sqlite_|kysely_)/

/** About the database itself: its migrations and nodes. */
const UNMOVED_COLUMNS = ['siteSettings.neededMigration', 'siteSettings.storeRecords']

/** Other columns are null in the target. */
export function isMoved(tableName: string, column: string): boolean {
  return !UNMOVED_COLUMNS.includes(`${tableName}.${column}`)
}

/** Other tables are rebuilt from these, or belong to the engine or the move. */
export function isCopied(tableName: string): boolean {
  return !REBUILT.includes(tableName) && isOfSite(tableName)
}

export function isOfSite(tableName: string): boolean {
  return (
    !INTERNAL_TABLES.test(tableName) &&
    ![NOTES_TABLE, MOVED_TABLE, ...EPHEMERAL_TABLES].includes(tableName)
  )
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ')
}
