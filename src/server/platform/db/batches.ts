import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Well under 50 ms with the widest rows: the longest a request may wait. */
export const BATCH_ROWS = 200

/**
 * Repeats a change until it finds no rows; requests run in between. See
 * docs/decisions/0020-long-work-in-small-steps.md.
 * @param change returns the number of changed rows
 */
export async function inBatches(change: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const changed = await change()
    if (changed === 0) return total
    total += changed
    await setImmediate()
  }
}

type Chosen = {
  table: string
  /** Columns that identify a row. */
  key: readonly string[]
  column: string
  value: number
}

export async function deleteInBatches(db: Database, input: Chosen): Promise<void> {
  await inBatches(() => deleteSome(db, { ...input, most: BATCH_ROWS }))
}

/** @returns how many */
export async function deleteSome(db: Database, input: Chosen & { most: number }): Promise<number> {
  const table = sql.table(input.table)
  const key = sql.join(input.key.map((column) => sql.ref(column)))
  const result = await sql`
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table}
      WHERE ${sql.ref(input.column)} = ${input.value} LIMIT ${input.most}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function forEachBatch<Item>(
  items: readonly Item[],
  input: { size?: number; work: (batch: Item[]) => Promise<void> },
): Promise<void> {
  const { size = BATCH_ROWS, work } = input
  for (let at = 0; at < items.length; at += size) {
    await work(items.slice(at, at + size))
    await setImmediate()
  }
}
