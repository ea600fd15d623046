import { join } from 'node:path'
import { describeKey } from '../move/canonical-rows.ts'
import {
  MOVED_MESSAGE,
  MOVED_TABLE,
  type MoveSource,
  quoteName,
  quoteNames,
  type Row,
} from '../move/move-ends.ts'
import { listTableNames, readSqliteTables } from './move-tables.ts'
import { openSqlite } from './open.ts'

const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const
const TRIGGER = 'movedAway'

/** For the current writer. */
const WAIT_MS = 30_000

export function openSqliteSource(path: string): MoveSource {
  const sqlite = openSqlite(path)
  sqlite.pragma(`busy_timeout = ${WAIT_MS}`)
  sqlite.exec('BEGIN IMMEDIATE')
  return {
    ...readSqliteTables(sqlite),
    async findZeroCharacter(table) {
      const texts = table.columns.filter(({ type }) => type === 'text')
      if (texts.length === 0) return undefined
      const zeros = texts.map(({ name }) => `instr(${quoteName(name)}, char(0)) > 0`)
      const row = sqlite
        .prepare<[], Row>(
          `SELECT ${quoteNames(table.key)} FROM ${quoteName(table.name)} WHERE ${zeros.join(' OR ')} LIMIT 1`,
        )
        .get()
      return row && describeKey(table, row)
    },
    async markMoved(address) {
      for (const table of listTableNames(sqlite)) {
        for (const event of EVENTS) {
          sqlite.exec(`
            CREATE TRIGGER ${quoteName(`${TRIGGER} ${event} ${table}`)} BEFORE ${event} ON ${quoteName(table)}
            BEGIN SELECT RAISE(ABORT, '${MOVED_MESSAGE}'); END`)
        }
      }
      sqlite.exec(`CREATE TABLE ${quoteName(MOVED_TABLE)} ("address" TEXT PRIMARY KEY) STRICT`)
      sqlite.prepare(`INSERT INTO ${quoteName(MOVED_TABLE)} VALUES (?)`).run(address)
      sqlite.exec('COMMIT')
    },
    async close() {
      sqlite.close()
    },
  }
}

export function undoSqliteMove(folder: string, file: string): void {
  const sqlite = openSqlite(join(folder, file))
  try {
    sqlite
      .transaction(() => {
        const names = sqlite
          .prepare<[string], string>(
            `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'trigger' AND "name" LIKE ? || ' %'`,
          )
          .pluck()
          .all(TRIGGER)
        for (const name of names) sqlite.exec(`DROP TRIGGER ${quoteName(name)}`)
        sqlite.exec(`DROP TABLE IF EXISTS ${quoteName(MOVED_TABLE)}`)
      })
      .immediate()
  } finally {
    sqlite.close()
  }
}
