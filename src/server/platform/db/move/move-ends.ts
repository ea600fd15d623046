/** What a move between databases needs of each engine. See docs/decisions/0046-moving-between-databases.md. */

export type Value = string | number | Uint8Array | null
/** Its columns in the order of their names. */
export type Row = Record<string, Value>
export type ValueType = 'integer' | 'real' | 'text' | 'blob'

export type Table = {
  name: string
  /** In the order of their names. */
  columns: { name: string; type: ValueType }[]
  /** The columns of its primary key, in their order. */
  key: string[]
}

/** Reads the tables of a site, all but those that a search index is made of. */
export type TableReader = {
  listTables: () => Promise<Table[]>
  /** All rows in the order of the key, some hundreds at a time. Nothing else is asked of the same end meanwhile. */
  readRows: (table: Table) => AsyncIterable<Row[]>
  /** By the names of their tables, the highest ids that were ever given. */
  readLastIds: () => Promise<Map<string, number>>
}

/**
 * The database that is left. From its opening to its closing nobody else can write to it; a process that ends without
 * closing it leaves it as it was.
 */
export type MoveSource = TableReader & {
  /** The key of a row of which a text has the character 0, which PostgreSQL does not store. */
  findZeroCharacter: (table: Table) => Promise<string | undefined>
  /** Has the database refuse all writes from now on, to whoever sends them. */
  markMoved: (address: string) => Promise<void>
  close: () => Promise<void>
}

/** What an unfinished move remembers in the database that it goes to. */
export type NoteKind = 'source' | 'table' | 'statement'

/** The database that is moved to, which no site begins with before `finish`. */
export type MoveTarget = TableReader & {
  /** By their names; none of a database that no move goes to. */
  readNotes: (kind: NoteKind) => Promise<Map<string, string>>
  /** Makes it the target of a move. */
  begin: (sourceId: string) => Promise<void>
  /** Lays aside what would only slow rows down that are known to be right: indexes, triggers, foreign keys. */
  layAside: () => Promise<void>
  /**
   * Puts rows in the place of all that a table has, all of them and the note or nothing.
   * @param note called when all rows were taken
   */
  replaceRows: (
    table: Table,
    input: { rows: AsyncIterable<Row[]>; note: () => string },
  ) => Promise<void>
  forget: (tableName: string) => Promise<void>
  /** Brings back what was laid aside, and has new rows get ids above the highest ever given. */
  restore: (lastIds: Map<string, number>) => Promise<void>
  finish: () => Promise<void>
  close: () => Promise<void>
}

/** Held, in the data folder that is left, by a move of its database. */
export const MOVE_LOCK_FILE = 'database-move.lock'
/** Has a row while a move goes there; its kinds are `NoteKind`. */
export const NOTES_TABLE = 'unfinishedMove'
/** Has a row, with an address, in a database that was left. */
export const MOVED_TABLE = 'movedTo'
/** What a database that was left answers to writes. */
export const MOVED_MESSAGE = 'the site has moved to another database'

const REBUILT = [
  ...['videoSearch', 'channelSearch', 'searchedVideos', 'searchTerms', 'searchTags'],
  ...['searchState', 'searchOutbox'],
]
/** What processes say of the present moment: nothing of it travels, and it goes on being written. */
export const OF_THE_MOMENT = ['nodes', 'rateCounts', 'watching']
const OF_NO_SITE = /^(sqlite_|kysely_)/

/** What a database says of its own migrations, and of the nodes that it has or had. */
const OF_THE_DATABASE = ['siteSettings.neededMigration', 'siteSettings.storeRecords']

/** Whether a column's values travel; others are null in what was moved. */
export function isMoved(tableName: string, column: string): boolean {
  return !OF_THE_DATABASE.includes(`${tableName}.${column}`)
}

/** Whether a table's rows travel; the others are made anew from them, or are the engine's and the move's own. */
export function isCopied(tableName: string): boolean {
  return !REBUILT.includes(tableName) && isOfSite(tableName)
}

/** Whether a table is the site's, and what a move locks. */
export function isOfSite(tableName: string): boolean {
  return (
    !OF_NO_SITE.test(tableName) && ![NOTES_TABLE, MOVED_TABLE, ...OF_THE_MOMENT].includes(tableName)
  )
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ')
}
