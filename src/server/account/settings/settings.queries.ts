import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'

export type ProfileChange = {
  displayName?: string
  bio?: string | null
  email?: string
  showEmail?: Flag
  defaultVisibility?: Visibility | null
  avatarUrl?: string | null
  avatarBytes?: number
  bannerUrl?: string | null
  bannerBytes?: number
  password?: string
}

export async function updateUser(
  db: Database,
  input: { id: number; change: ProfileChange },
): Promise<void> {
  if (Object.keys(input.change).length === 0) return
  await db.updateTable('users').set(input.change).where('id', '=', input.id).execute()
}

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
    .select(['id', 'createdAt', 'expiresAt', 'userAgent'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .execute()
}

export async function updateConfirmed(db: Database, sessionId: string): Promise<void> {
  const change = { confirmedAt: timestamp() }
  await db.updateTable('sessions').set(change).where('id', '=', sessionId).execute()
}

export async function deleteSessions(
  db: Database,
  input: { userId: number; prefix?: string; except?: string },
): Promise<number> {
  let query = db.deleteFrom('sessions').where('userId', '=', input.userId)
  if (input.prefix !== undefined) query = query.where('id', 'like', `${input.prefix}%`)
  if (input.except !== undefined) query = query.where('id', '<>', input.except)
  const result = await query.executeTakeFirst()
  return Number(result.numDeletedRows)
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
