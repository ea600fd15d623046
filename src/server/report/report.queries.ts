import type { PageInput } from '#shared/field.schemas.ts'
import type { CreateReport } from '#shared/settings.schemas.ts'
import { type Database, timestamp } from '../db/database.ts'
import { decodeCursor, toPage } from '../db/paging.ts'

/** Stores a report; the same person's open report of the same thing stays as it is. */
export async function insertReport(
  db: Database,
  input: CreateReport & { reporterId: number },
): Promise<void> {
  await db
    .insertInto('reports')
    .values({ ...input, state: 'open', createdAt: timestamp() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listReports(
  db: Database,
  input: PageInput & { state: 'open' | 'resolved' | 'dismissed' },
) {
  let query = db
    .selectFrom('reports')
    .leftJoin('users', 'users.id', 'reports.reporterId')
    .select([
      'reports.id',
      'reports.reporterId',
      'users.displayName as reporterName',
      'reports.videoId',
      'reports.commentId',
      'reports.channelId',
      'reports.reason',
      'reports.state',
      'reports.createdAt',
      'reports.closedAt',
    ])
    .where('reports.state', '=', input.state)
    .orderBy('reports.createdAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('reports.createdAt', 'reports.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => row,
  })
}

/** @returns false when there is no such open report. */
export async function closeReport(
  db: Database,
  input: { id: number; state: 'resolved' | 'dismissed'; closedBy: number },
): Promise<boolean> {
  const result = await db
    .updateTable('reports')
    .set({ state: input.state, closedAt: timestamp(), closedBy: input.closedBy })
    .where('id', '=', input.id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
