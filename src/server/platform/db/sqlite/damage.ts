import { type QueryExecutorProvider, sql } from 'kysely'
import { isDamaged } from './errors.ts'

export async function listDamage(db: QueryExecutorProvider): Promise<string[]> {
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
