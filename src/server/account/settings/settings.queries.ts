import type { Database } from '#server/platform/db/database.ts'

export async function findPasswordHash(db: Database, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.password
}

export async function findPictures(db: Database, userId: number) {
  return db
    .selectFrom('users')
    .select(['avatarUrl', 'bannerUrl'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

export async function listSessions(db: Database, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'expiresAt', 'userAgent', 'method', 'address', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .execute()
}

/** When a session began, and the session of an identity provider that began it. */
export async function findSessionOrigin(db: Database, id: string) {
  return db
    .selectFrom('sessions')
    .select(['createdAt', 'providerId', 'providerSession'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function listVideoIds(db: Database, userId: number): Promise<number[]> {
  const rows = await db.selectFrom('videos').select('id').where('userId', '=', userId).execute()
  return rows.map((row) => row.id)
}

export async function listOpenUploadIds(db: Database, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('userId', '=', userId)
    .where('state', 'in', ['receiving', 'finalizing'])
    .execute()
  return rows.map((row) => row.id)
}
