import { type QueryExecutorProvider, sql } from 'kysely'

export async function readDataVersion(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(db)
  return rows[0]?.data_version ?? 0
}
