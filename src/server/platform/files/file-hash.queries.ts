import type { Database, DatabaseTransaction } from '../db/database.ts'
import type { FileHashesTable } from '../db/tables/video.ts'

export async function upsertFileHash(
  db: Database | DatabaseTransaction,
  { mediaKey, name, bytes, sha256 }: FileHashesTable,
): Promise<void> {
  await db
    .insertInto('fileHashes')
    .values({ mediaKey, name, bytes, sha256 })
    .onConflict((conflict) => conflict.columns(['mediaKey', 'name']).doUpdateSet({ bytes, sha256 }))
    .execute()
}

export async function listHashedKeys(
  db: Database,
  { afterKey, limit }: { afterKey: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('fileHashes')
    .select('mediaKey')
    .distinct()
    .where('mediaKey', '>', afterKey)
    .orderBy('mediaKey')
    .limit(limit)
    .execute()
  return rows.map(({ mediaKey }) => mediaKey)
}

export async function deleteFileHashes(db: Database, mediaKeys: string[]): Promise<void> {
  if (mediaKeys.length === 0) return
  await db.deleteFrom('fileHashes').where('mediaKey', 'in', mediaKeys).execute()
}
