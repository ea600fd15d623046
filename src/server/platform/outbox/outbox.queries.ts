import { type Database, writeQuietly } from '../db/database.ts'

/** Tables of messages to be sent; they share the columns that `outbox.ts` uses. */
export type OutboxTable = 'mails' | 'webhookDeliveries' | 'chatPosts' | 'pushes'

/** @returns false if another node was first */
export async function claimRow(
  db: Database,
  table: OutboxTable,
  { id, nextAt, until }: { id: number; nextAt: string; until: string },
): Promise<boolean> {
  return writeQuietly(db, async (transaction) => {
    const result = await transaction
      .updateTable(table)
      .set((eb) => ({ nextAt: until, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('nextAt', '=', nextAt)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  })
}

export async function deleteRow(db: Database, table: OutboxTable, id: number): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.deleteFrom(table).where('id', '=', id).execute(),
  )
}

export async function postponeRow(
  db: Database,
  table: OutboxTable,
  { id, ...change }: { id: number; nextAt: string; lastError: string },
): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.updateTable(table).set(change).where('id', '=', id).execute(),
  )
}
