import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { closeReport } from './report.queries.ts'

/**
 * The target stays.
 * @throws `not-found` unless open
 */
export async function endReport(
  db: Database,
  input: { id: number; state: 'resolved' | 'dismissed'; viewer: Viewer },
): Promise<void> {
  const { id, state, viewer } = input
  await inTransaction(db, async (transaction) => {
    const reason = await closeReport(transaction, { id, state, closedBy: viewer.id })
    if (reason === undefined) throw new AppError('not-found', 'There is no such open report.')
    const action = state === 'resolved' ? 'report.resolve' : 'report.dismiss'
    const target = { kind: 'report', id, name: reason } as const
    await insertAuditEntry(transaction, { actor: viewer, action, target })
  })
}
