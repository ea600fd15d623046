import { compiledOnce } from '../db/compiled-once.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/tables/column.ts'

const selectLooks = compiledOnce((db) =>
  db.selectFrom('gameLooks').select(['category', 'colour', 'artUrl', 'isArchived']).compile(),
)

/** Returns only the games that have a row in `gameLooks`. */
export async function listGameLooks(db: Database) {
  const rows = await selectLooks(db, {})
  return rows.map((row) => ({ ...row, isArchived: row.isArchived === 1 }))
}
export type GameLook = Awaited<ReturnType<typeof listGameLooks>>[number]

export async function upsertGameLook(
  db: Database,
  { category, ...change }: { category: string } & Partial<Omit<GameLook, 'category'>>,
): Promise<void> {
  const { isArchived, ...others } = change
  const values = {
    ...others,
    ...(isArchived !== undefined && { isArchived: toFlag(isArchived) }),
  }
  if (Object.keys(values).length === 0) return
  await db
    .insertInto('gameLooks')
    .values({ category, colour: null, artUrl: null, ...values })
    .onConflict((conflict) => conflict.column('category').doUpdateSet(values))
    .execute()
}

/** @returns the deleted rows */
export async function deleteGameLooks(
  db: Database,
  categories: string[],
): Promise<{ artUrl: string | null }[]> {
  if (categories.length === 0) return []
  return db
    .deleteFrom('gameLooks')
    .where('category', 'in', categories)
    .returning('artUrl')
    .execute()
}

export async function isGameArt(db: Database, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('gameLooks')
    .select('category')
    .where('artUrl', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

export async function countPublicVideos(db: Database): Promise<Map<string, number>> {
  const rows = await db.selectFrom('categoryTotals').select(['category', 'publicVideos']).execute()
  return new Map(rows.map((row) => [row.category, row.publicVideos]))
}
