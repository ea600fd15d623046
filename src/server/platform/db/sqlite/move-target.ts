import type Sqlite from 'better-sqlite3'
import { type MoveTarget, NOTES_TABLE, quoteName, quoteNames } from '../move/move-ends.ts'
import { readSqliteTables } from './move-tables.ts'
import { openSqlite } from './open.ts'

const NOTES = quoteName(NOTES_TABLE)
const CACHE_KIB = 256 * 1024

export function openSqliteTarget(path: string): MoveTarget {
  const sqlite = openSqlite(path)
  sqlite.pragma('foreign_keys = OFF')
  sqlite.pragma(`cache_size = -${CACHE_KIB}`)
  sqlite.pragma('temp_store = FILE')
  const note = (kind: string, name: string, text: string) =>
    sqlite.prepare(`INSERT OR REPLACE INTO ${NOTES} VALUES (?, ?, ?)`).run(kind, name, text)
  return {
    ...readSqliteTables(sqlite),
    async readNotes(kind) {
      if (!hasNotes(sqlite)) return new Map()
      const rows = sqlite
        .prepare<[string], { name: string; text: string }>(
          `SELECT "name", "text" FROM ${NOTES} WHERE "kind" = ? ORDER BY "name"`,
        )
        .all(kind)
      return new Map(rows.map(({ name, text }) => [name, text]))
    },
    async begin(sourceId) {
      sqlite.exec('BEGIN IMMEDIATE')
      sqlite.exec(`CREATE TABLE ${NOTES} ("kind" TEXT NOT NULL, "name" TEXT NOT NULL,
        "text" TEXT NOT NULL, PRIMARY KEY ("kind", "name")) STRICT`)
      note('source', '', sourceId)
      sqlite.exec('COMMIT')
    },
    async dropIndexes() {
      sqlite
        .transaction(() => {
          const parts = sqlite
            .prepare<[], { type: string; name: string; sql: string }>(`
              SELECT "type", "name", "sql" FROM "sqlite_schema"
              WHERE "type" IN ('index', 'trigger') AND "sql" IS NOT NULL ORDER BY "type", "name"`)
            .all()
          for (const { type, name, sql } of parts) {
            note('statement', `${type} ${name}`, sql)
            sqlite.exec(`DROP ${type} ${quoteName(name)}`)
          }
        })
        .immediate()
    },
    async replaceRows(table, { rows, note: describe }) {
      const names = table.columns.map(({ name }) => name)
      const places = names.map(() => '?').join(', ')
      sqlite.exec('BEGIN IMMEDIATE')
      try {
        sqlite.exec(`DELETE FROM ${quoteName(table.name)}`)
        const insert = sqlite.prepare(
          `INSERT INTO ${quoteName(table.name)} (${quoteNames(names)}) VALUES (${places})`,
        )
        for await (const batch of rows) {
          for (const row of batch) insert.run(names.map((name) => row[name]))
        }
        note('table', table.name, describe())
        sqlite.exec('COMMIT')
      } catch (error) {
        if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
        throw error
      }
    },
    async forget(name) {
      sqlite.prepare(`DELETE FROM ${NOTES} WHERE "kind" = 'table' AND "name" = ?`).run(name)
    },
    async restore(lastIds) {
      sqlite
        .transaction(() => {
          const statements = sqlite
            .prepare<[], string>(
              `SELECT "text" FROM ${NOTES} WHERE "kind" = 'statement' ORDER BY "name"`,
            )
            .pluck()
            .all()
          for (const statement of statements) sqlite.exec(statement)
          const raise = sqlite.prepare(
            'UPDATE "sqlite_sequence" SET "seq" = max("seq", ?) WHERE "name" = ?',
          )
          const add = sqlite.prepare('INSERT INTO "sqlite_sequence" ("name", "seq") VALUES (?, ?)')
          for (const [name, id] of lastIds) {
            if (raise.run(id, name).changes === 0) add.run(name, id)
          }
          sqlite.exec(`DELETE FROM ${NOTES} WHERE "kind" = 'statement'`)
        })
        .immediate()
    },
    async finish() {
      sqlite.exec(`DROP TABLE ${NOTES}`)
    },
    async close() {
      sqlite.close()
    },
  }
}

function hasNotes(sqlite: Sqlite.Database): boolean {
  return (
    sqlite.prepare<[string]>('SELECT 1 FROM "sqlite_schema" WHERE "name" = ?').get(NOTES_TABLE) !==
    undefined
  )
}
