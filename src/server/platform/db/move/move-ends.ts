/** What a move between databases needs of each engine. See docs/decisions/0046-moving-between-databases.md. */

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

/** Reads the tables of a site, except those from which the engine builds a search index. */
export type TableReader = {
  listTables: () => Promise<Table[]>
  /** All rows in the order of the key, in batches of some hundreds. The reader must not be used for anything else meanwhile. */
  readRows: (table: Table) => AsyncIterable<Row[]>
  /** The highest id ever assigned, by table. */
  readLastIds: () => Promise<Map<string, number>>
}

/**
 * The database that the site leaves. Nobody else can write to it while it is open; when the process ends without
 * closing it, it is unchanged.
 */
export type MoveSource = TableReader & {
  /** The key of a row that has a text with the character U+0000, which PostgreSQL does not store. */
  findZeroCharacter: (table: Table) => Promise<string | undefined>
  /** Makes the database refuse all writes from now on. */
  markMoved: (address: string) => Promise<void>
  close: () => Promise<void>
}

/** What an unfinished move records in its target. */
export type NoteKind = 'source' | 'table' | 'statement'

/** The database to move to; no site starts on it before `finish`. */
export type MoveTarget = TableReader & {
  /** By name; empty when the database is not the target of a move. */
  readNotes: (kind: NoteKind) => Promise<Map<string, string>>
  begin: (sourceId: string) => Promise<void>
  /** Drops indexes, triggers and foreign keys, which slow down the insertion of rows known to be correct. */
  dropIndexes: () => Promise<void>
  /**
   * Replaces all rows of a table, in one transaction with the note.
   * @param note called when all rows were taken
   */
  replaceRows: (
    table: Table,
    input: { rows: AsyncIterable<Row[]>; note: () => string },
  ) => Promise<void>
  forget: (tableName: string) => Promise<void>
  /** Recreates what `dropIndexes` dropped, and makes new rows get ids above the highest ever assigned. */
  restore: (lastIds: Map<string, number>) => Promise<void>
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** Held in the data folder that a move of its database leaves. */
export const MOVE_LOCK_FILE = 'database-move.lock'
/** Has a row while the database is the target of a move; its kinds are `NoteKind`. */
export const NOTES_TABLE = 'unfinishedMove'
/** Has a row, with the new address, in a database that a site left. */
export const MOVED_TABLE = 'movedTo'
/** The error of writes to a database that a site left. */
export const MOVED_MESSAGE = 'the site has moved to another database'

const REBUILT = [
  ...['videoSearch', 'channelSearch', 'searchedVideos', 'searchTerms', 'searchTags'],
  ...['searchState', 'searchOutbox'],
]
/** State of running processes, which is not moved and stays writable during a move. */
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

/** The tables of the site, which a move locks. */
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
