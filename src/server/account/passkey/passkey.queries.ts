import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'

export async function listPasskeys(db: Database, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'credentialId', 'userHandle', 'transports'])
    .select(['name', 'isBackedUp', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

export async function findPasskey(db: Database, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'userId', 'credentialId', 'userHandle', 'publicKey', 'counter', 'name'])
    .where('credentialId', '=', credentialId)
    .executeTakeFirst()
}

export type NewPasskey = {
  userId: number
  credentialId: string
  userHandle: string
  publicKey: string
  counter: number
  transports: string
  name: string
  isBackedUp: Flag
}

/** @throws a unique violation for a credential that is already stored */
export async function insertPasskey(db: Database, passkey: NewPasskey): Promise<void> {
  await db
    .insertInto('passkeys')
    .values({ ...passkey, createdAt: timestamp() })
    .execute()
}

/** Returns false if the counter did not increase, so only one of two concurrent uses of the same answer succeeds. */
export async function updateUse(
  db: Database,
  input: { id: number; counter: number; isBackedUp: Flag },
): Promise<boolean> {
  const { id, counter, isBackedUp } = input
  let query = db
    .updateTable('passkeys')
    .set({ counter, isBackedUp, lastUsedAt: timestamp() })
    .where('id', '=', id)
  query = counter === 0 ? query.where('counter', '=', 0) : query.where('counter', '<', counter)
  const result = await query.executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function updateName(
  db: Database,
  input: { id: number; userId: number; name: string },
): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ name: input.name })
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns the name of the deleted passkey. */
export async function deletePasskey(
  db: Database,
  input: { id: number; userId: number },
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkeys')
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

export async function deletePasskeys(db: Database, userId: number): Promise<boolean> {
  const result = await db.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}
