/**
 * Knows what changed since an answer was read, so that answers can be kept for exactly as long as
 * what they show stays as it is.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type Sqlite from 'better-sqlite3'
import {
  ALL_BYTES,
  ALL_COUNTS,
  createStatementReader,
  partOf,
  type StatementReads,
} from './statement-reads.ts'

/** Videos whose counts changed last are remembered one by one up to this number. */
const COUNTED_MAX = 50_000

/** What was read for an answer, and when. */
export type Reading = {
  /** The number of the last change when it began. */
  since: number
  /** Up to this change it is known to be current. */
  checkedAt: number
  /** Each table that was read, and its last change then. */
  tables: Map<string, number>
  /** Those of another reading that were added last: what was read together has them together. */
  added?: ReadonlyMap<string, number>
  /** Videos whose counts were read one by one. */
  counted: Set<number>
  /** It saw, or may have seen, what is not committed, or depends on things that are not followed. */
  cannotBeKept: boolean
}

export type Changes = ReturnType<typeof createChanges>

const readings = new AsyncLocalStorage<Reading>()

/**
 * Follows the changes of a connection's database: those it makes itself row by row, through triggers
 * of its own that no file has, and those of others by SQLite's word that there were any. Changes are
 * numbered; nothing is stored.
 */
export function createChanges(sqlite: Sqlite.Database) {
  let last = 0
  let lastForeign = 0
  let dataVersion = -1
  /** In this turn of the event loop. */
  let hasLooked = false
  const forgetLook = () => {
    hasLooked = false
  }
  let readStatement: ((source: string) => StatementReads) | undefined
  const tables = new Map<string, number>()
  const counted = new Map<number, number>()
  let countsForgotten = 0
  const foreign = sqlite.prepare<[], number>('PRAGMA data_version').pluck()

  function noteCounts(id: number): void {
    last += 1
    tables.set(ALL_COUNTS, last)
    if (counted.size >= COUNTED_MAX) {
      counted.clear()
      countsForgotten = last
    }
    counted.set(id, last)
  }

  /** Begins to follow the tables that are there; before this, nothing can be kept. */
  function watch(): void {
    if (readStatement) return
    sqlite.function('noteChange', (part) => {
      tables.set(String(part), ++last)
      return null
    })
    sqlite.function('noteCounts', (id) => {
      noteCounts(Number(id))
      return null
    })
    const { ordinary, virtual } = listTables(sqlite)
    for (const table of ordinary) sqlite.exec(triggersOf(sqlite, table))
    readStatement = createStatementReader(ordinary, virtual)
  }

  /** Takes two system calls: SQLite locks the file and reads what others count in it. */
  function look(): void {
    const current = foreign.get() ?? 0
    if (current === dataVersion) return
    dataVersion = current
    lastForeign = ++last
  }

  function lookTogether(): void {
    if (hasLooked) return
    hasLooked = true
    setImmediate(forgetLook)
    look()
  }

  function isUnchanged(reading: Reading): boolean {
    if (reading.checkedAt === last) return true
    if (reading.cannotBeKept || reading.since < lastForeign) return false
    for (const [table, version] of reading.tables) {
      if ((tables.get(table) ?? 0) !== version) return false
    }
    if (reading.counted.size > 0 && reading.since < countsForgotten) return false
    for (const id of reading.counted) {
      if ((counted.get(id) ?? 0) > reading.since) return false
    }
    reading.checkedAt = last
    return true
  }

  function note(reading: Reading, parts: readonly string[]): void {
    // What is not committed yet may never be, and shows elsewhere without a further change here.
    if (sqlite.inTransaction) reading.cannotBeKept = true
    for (const part of parts) {
      if (!reading.tables.has(part)) reading.tables.set(part, tables.get(part) ?? 0)
    }
  }

  return {
    watch,

    /** Whether nothing that was read has changed since. */
    isCurrent(reading: Reading): boolean {
      look()
      return isUnchanged(reading)
    },

    /**
     * As `isCurrent`, where what other programs write is looked for once for all that arrived together, as
     * requests do: what they wrote after that is seen by those that arrive next. The own changes are
     * seen at once.
     */
    isCurrentTogether(reading: Reading): boolean {
      lookTogether()
      return isUnchanged(reading)
    },

    /** What others wrote since this turn was looked at counts as newer, even where it is seen already. */
    begin(): Reading {
      if (readStatement) lookTogether()
      return {
        since: last,
        checkedAt: -1,
        tables: new Map(),
        counted: new Set(),
        cannotBeKept: readStatement === undefined,
      }
    },

    /** To be called before a statement is run; what it answers takes the rows. */
    noteStatement(source: string): ((rows: unknown[]) => void) | undefined {
      const reading = readings.getStore()
      if (!reading || !readStatement) return undefined
      const reads = readStatement(source)
      note(reading, reads.tables)
      if (reads.unknown) reading.cannotBeKept = true
      if (!reads.countsById) return undefined
      return (rows) => {
        for (const row of rows) reading.counted.add((row as { id: number }).id)
      }
    },

    /** Says that another connection reads these parts for what is under way. */
    noteParts(parts: readonly string[]): void {
      const reading = readings.getStore()
      if (reading) note(reading, parts)
    },
  }
}

/** Runs `work`, noting what is read for it, also in what it awaits. */
export async function record<Value>(
  changes: Changes,
  work: () => Promise<Value>,
): Promise<{ value: Value; reading: Reading }> {
  const reading = changes.begin()
  const value = await readings.run(reading, work)
  addToReading(reading)
  return { value, reading }
}

/** As `record`, for work that goes on in `next` and whose end somebody else knows. */
export function recordOnwards(changes: Changes, next: () => void): Reading {
  const reading = changes.begin()
  readings.run(reading, next)
  return reading
}

/** What was read before, and is current, is used for what is under way now. */
export function addToReading(part: Reading): void {
  const whole = readings.getStore()
  if (!whole) return
  whole.since = Math.min(whole.since, part.since)
  whole.cannotBeKept ||= part.cannotBeKept
  if (whole.added !== part.tables) {
    for (const [table, version] of part.tables) {
      whole.tables.set(table, Math.min(version, whole.tables.get(table) ?? version))
    }
    whole.added = part.tables
  }
  for (const id of part.counted) whole.counted.add(id)
}

function listTables(sqlite: Sqlite.Database): { ordinary: string[]; virtual: string[] } {
  const rows = sqlite
    .prepare<[], { name: string; type: string }>(
      `SELECT name, type FROM pragma_table_list WHERE schema = 'main'
        AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'`,
    )
    .all()
  const named = (type: string) => rows.filter((row) => row.type === type).map(({ name }) => name)
  return { ordinary: named('table'), virtual: [...named('virtual'), ...named('view')] }
}

/** They are the connection's own and go with it. */
function triggersOf(sqlite: Sqlite.Database, table: string): string {
  const columns = sqlite
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
  const ofPart = (part: string | null) => columns.filter((column) => partOf(table, column) === part)
  const trigger = (name: string, event: string, call: string) =>
    `CREATE TEMP TRIGGER "${table} ${name}" AFTER ${event} ON main."${table}"
      BEGIN SELECT ${call}; END;`
  const updateOf = (part: string | null, call: string) => {
    const changed = ofPart(part).map((column) => `"${column}"`)
    const event = `UPDATE OF ${changed.join(', ')}`
    return changed.length > 0 ? trigger(`changes ${part ?? ''}`, event, call) : ''
  }
  return [
    trigger('grows', 'INSERT', `noteChange('${table}')`),
    trigger('shrinks', 'DELETE', `noteChange('${table}')`),
    updateOf(null, `noteChange('${table}')`),
    updateOf(ALL_COUNTS, 'noteCounts(NEW.id)'),
    updateOf(ALL_BYTES, `noteChange('${ALL_BYTES}')`),
  ].join('\n')
}
