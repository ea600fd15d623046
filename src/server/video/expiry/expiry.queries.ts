import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'

const AT_A_TIME = 50

export async function listExpiredVideos(db: Database, now: Date) {
  return selectExpiring(db, now).execute()
}

/** The owner may have changed it meanwhile. */
export async function findExpiredVideo(
  db: DatabaseTransaction,
  { id, now }: { id: number; now: Date },
) {
  return selectExpiring(db, now)
    .select(['visibility', 'squadId'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function listUnannouncedExpiries(db: Database, until: Date) {
  return selectExpiring(db, until).where('expiryNoticedAt', 'is', null).execute()
}

function selectExpiring(db: Database, until: Date) {
  return db
    .selectFrom('videos')
    .select(['id', 'title', 'userId', 'expiresAt', 'expiryAction'])
    .where('expiresAt', '<=', timestamp(until))
    .where('expiresAt', 'is not', null)
    .where('processingState', '<>', 'deleting')
    .orderBy('expiresAt')
    .limit(AT_A_TIME)
}

/** @returns undefined if notified or changed meanwhile */
export async function noteExpiryAnnounced(
  db: DatabaseTransaction,
  { id, until }: { id: number; until: Date },
) {
  return db
    .updateTable('videos')
    .set({ expiryNoticedAt: timestamp() })
    .where('id', '=', id)
    .where('expiresAt', '<=', timestamp(until))
    .where('expiryNoticedAt', 'is', null)
    .where('processingState', '<>', 'deleting')
    .returning(['id', 'title', 'userId', 'expiresAt', 'expiryAction'])
    .executeTakeFirst()
}
