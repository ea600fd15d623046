import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { InboxOriginals, InboxRule } from '#shared/schemas/inbox.schemas.ts'

export type StoredInboxSettings = Awaited<ReturnType<typeof findInboxSettings>>

/** The result of the last round, on any node. */
export type RoundStatus = {
  lookedAt: string
  folders: { folder: string; files: number; problem: string | null }[]
  settling: number
  unread: number
  /** Path of the file that is being examined. */
  examining: string | null
  problem: string | null
}

export async function findInboxSettings(db: Database) {
  const row = await db
    .selectFrom('inboxSettings')
    .select(['isPaused', 'originals', 'whenDeleted', 'whenMissing', 'rules', 'status', 'problem'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return {
    ...row,
    isPaused: row.isPaused === 1,
    rules: JSON.parse(row.rules) as InboxRule[],
    status: row.status === null ? null : (JSON.parse(row.status) as RoundStatus),
  }
}

export async function updateInboxSettings(
  db: DatabaseTransaction,
  change: {
    isPaused?: Flag
    originals?: InboxOriginals
    whenDeleted?: 'keep' | 'delete'
    whenMissing?: 'keep' | 'delete'
    rules?: string
    status?: string
    problem?: string | null
  },
): Promise<void> {
  await db.updateTable('inboxSettings').set(change).where('id', '=', 1).execute()
}
