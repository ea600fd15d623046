import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { CreateReport } from '#shared/schemas/desk/moderation.schemas.ts'
import { reportMade } from './report.events.ts'
import { closeReport, insertReport } from './report.queries.ts'

/** The caller checks that the reporter can see the target. */
export async function makeReport(
  db: Database,
  input: CreateReport & { reporterId: number },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const reportId = await insertReport(transaction, input)
    if (reportId !== undefined) await reportMade.raise({ db: transaction, reportId })
  })
}

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
