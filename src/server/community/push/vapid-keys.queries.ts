import { type Database, writeQuietly } from '#server/platform/db/database.ts'

export type VapidKeys = { publicKey: string; privateKey: string }

/** The first call makes the keys. Subscriptions of browsers are valid only with these keys. */
export async function findVapidKeys(db: Database): Promise<VapidKeys> {
  const known = await readKeys(db)
  if (known) return known
  const { generateVAPIDKeys } = (await import('web-push')).default
  const vapidKeys = JSON.stringify(generateVAPIDKeys())
  await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('siteSettings')
      .set({ vapidKeys })
      .where('id', '=', 1)
      .where('vapidKeys', 'is', null)
      .execute(),
  )
  const made = await readKeys(db)
  if (!made) throw new Error('The site has no settings.')
  return made
}

async function readKeys(db: Database): Promise<VapidKeys | undefined> {
  const { vapidKeys } = await db
    .selectFrom('siteSettings')
    .select('vapidKeys')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return vapidKeys === null ? undefined : JSON.parse(vapidKeys)
}
