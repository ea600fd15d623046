import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { insertForListening } from '../notification/muted.queries.ts'
import type { NewNotification } from '../notification/notification.queries.ts'

type SquadNotice = Omit<NewNotification, 'userId' | 'type'> &
  Partial<Pick<NewNotification, 'type'>> & { userIds: number[] }

/** @returns members to notify live, without those who have turned notifications of squads off */
export function notifyOfSquad(
  db: DatabaseTransaction,
  { userIds, type = 'subscription', ...notice }: SquadNotice,
): Promise<number[]> {
  const rows = userIds.map((userId) => ({ userId, type, ...notice }))
  return insertForListening(db, { kind: 'squads', rows })
}
