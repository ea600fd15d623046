/** See docs/decisions/0046-moving-between-databases.md. */

export type Value = string | number | Uint8Array | null
/** In order of column names. */
export type Row = Record<string, Value>
export type ValueType = 'integer' | 'real' | 'text' | 'blob'

export type Table = {
  name: string
  columns: { name: string; type: ValueType }[]
  /** Columns of the primary key. */
  key: string[]
}

/** Without the tables of a search index. */
export type TableReader = {
  listTables: () => Promise<Table[]>
  /** By key, in batches of some hundreds. The reader is busy meanwhile. */
  readRows: (table: Table) => AsyncIterable<Row[]>
  /** The highest id ever assigned, by table. */
  readLastIds: () => Promise<Map<string, number>>
}

/** Others cannot write while it is open; unchanged if the process ends without closing it. */
export type MoveSource = TableReader & {
  /** Key of a row with U+0000, which PostgreSQL does not store. */
  findZeroCharacter: (table: Table) => Promise<string | undefined>
  /** Afterwards the database refuses all writes. */
  markMoved: (address: string) => Promise<void>
  close: () => Promise<void>
}

export type NoteKind = 'source' | 'table' | 'statement'

/** No site starts on it before `finish`. */
export type MoveTarget = TableReader & {
  /** Empty unless the database is a target. */
  readNotes: (kind: NoteKind) => Promise<Map<string, string>>
  begin: (sourceId: string) => Promise<void>
  /** Also triggers and foreign keys, which would slow the insertion of correct rows. */
  dropIndexes: () => Promise<void>
  /**
   * In one transaction with the note.
   * @param note called once all rows are taken
   */
  replaceRows: (
    table: Table,
    input: { rows: AsyncIterable<Row[]>; note: () => string },
  ) => Promise<void>
  forget: (tableName: string) => Promise<void>
  /** Undoes `dropIndexes`; new rows get ids above the highest ever assigned. */
  restore: (lastIds: Map<string, number>) => Promise<void>
  finish: () => Promise<void>
  close: () => Promise<void>
}

export const MOVE_LOCK_FILE = 'database-move.lock'
/** In the target of a move, of the kinds `NoteKind`. */
export const NOTES_TABLE = 'unfinishedMove'
/** In a database that a site left, with its new address. */
export const MOVED_TABLE = 'movedTo'
export const MOVED_MESSAGE = 'the site has moved to another database'

const REBUILT = [
  ...['videoSearch', 'channelSearch', 'searchedVideos', 'searchTerms', 'searchTags'],
  ...['searchState', 'searchOutbox'],
]
/** Not moved; writable during a move. */
export const EPHEMERAL_TABLES = ['nodes', 'rateCounts', 'watching']
const INTERNAL_TABLES = /^(sqlite_|kysely_)/

/** About the database itself. */
const UNMOVED_COLUMNS = ['siteSettings.neededMigration', 'siteSettings.storeRecords']

/** Others are null in the target. */
export function isMoved(tableName: string, column: string): boolean {
  return !UNMOVED_COLUMNS.includes(`${tableName}.${column}`)
}

/** Others are rebuilt, or belong to the engine or the move. */
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
