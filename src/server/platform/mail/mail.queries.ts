import { type Database, timestamp, writeQuietly } from '../db/database.ts'

export type WaitingMail = NonNullable<Awaited<ReturnType<typeof findDueMail>>>

export async function insertMail(
  db: Database,
  mail: { kind: string; userId: number | null; data: string },
): Promise<void> {
  const now = timestamp()
  await db
    .insertInto('mails')
    .values({ ...mail, createdAt: now, nextAt: now })
    .execute()
}

export async function findDueMail(db: Database, now: string) {
  return db
    .selectFrom('mails')
    .select(['id', 'kind', 'userId', 'data', 'createdAt', 'nextAt', 'attempts'])
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function postponeDueMails(
  db: Database,
  { now, nextAt }: { now: string; nextAt: string },
): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.updateTable('mails').set({ nextAt }).where('nextAt', '<=', now).execute(),
  )
}

export async function findMailState(db: Database) {
  const { waiting } = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  const failed = await db
    .selectFrom('mails')
    .select('lastError')
    .where('lastError', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { waiting: Number(waiting), failure: failed?.lastError ?? null }
}

export async function noteAddressState(
  db: Database,
  { userId, address, isRefused }: { userId: number; address: string; isRefused: boolean },
): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('users')
      .set({ emailRefusedAt: isRefused ? timestamp() : null })
      .where('id', '=', userId)
      .where('email', '=', address)
      .where('emailRefusedAt', isRefused ? 'is' : 'is not', null)
      .execute(),
  )
}
