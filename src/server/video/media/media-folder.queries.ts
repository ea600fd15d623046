import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { eachText } from '#server/platform/db/expressions.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import type { StoredFolder } from '#server/platform/files/stored-folders.ts'

export async function findMediaKey(db: Database, videoId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('videos')
    .select('mediaKey')
    .where('id', '=', videoId)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
  return row?.mediaKey
}

export async function listOpenUploads(db: Database, names: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('id', 'in', names)
    .where('state', 'in', ['receiving', 'finalizing'])
    .execute()
  return rows.map((row) => row.id)
}

export async function listOverUploads(db: Database, names: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('id', 'in', names)
    .where('state', 'in', ['completed', 'failed', 'expired'])
    .execute()
  return rows.map((row) => row.id)
}

export async function listChunks(db: Database, uploadIds: string[]) {
  if (uploadIds.length === 0) return []
  return db
    .selectFrom('uploadChunks')
    .select(['uploadId', 'chunkIndex', 'hash'])
    .where('uploadId', 'in', uploadIds)
    .execute()
}

export async function listKnownMedia(db: Database, names: string[]): Promise<string[]> {
  // '0' follows '/'.
  const { rows } = await sql<{ name: string }>`
    WITH "named" AS (
      SELECT "value" AS "name", '/media/' || "value" || '/' AS "first", '/media/' || "value" || '0' AS "after"
      FROM ${eachText(names)} AS "given"
    )
    SELECT "name" FROM "named"
    WHERE EXISTS (SELECT 1 FROM "videos" WHERE "mediaKey" = "name")
      OR EXISTS (
        SELECT 1 FROM "uploads" WHERE "mediaKey" = "name" AND "state" IN ('receiving', 'finalizing')
      )
      OR EXISTS (SELECT 1 FROM "users" WHERE "avatarUrl" >= "first" AND "avatarUrl" < "after")
      OR EXISTS (SELECT 1 FROM "users" WHERE "bannerUrl" >= "first" AND "bannerUrl" < "after")
      OR EXISTS (SELECT 1 FROM "siteSettings" WHERE "logoUrl" >= "first" AND "logoUrl" < "after")
      OR EXISTS (SELECT 1 FROM "gameLooks" WHERE "artUrl" >= "first" AND "artUrl" < "after")
  `.execute(db)
  return rows.map((row) => row.name)
}

const PICTURES = [
  { prefix: 'avatar-', address: 'avatarUrl', bytes: 'avatarBytes' },
  { prefix: 'banner-', address: 'bannerUrl', bytes: 'bannerBytes' },
] as const

/** Nobody may change the folders meanwhile. */
export async function updatePictureBytes(
  db: Database,
  folders: readonly StoredFolder[],
): Promise<void> {
  for (const { prefix, address, bytes } of PICTURES) {
    // Old pictures that could not be deleted are gone by now.
    await db
      .updateTable('users')
      .set({ [bytes]: 0 })
      .where(address, 'is', null)
      .where(bytes, '>', 0)
      .execute()
    const sizes = new Map(
      folders.flatMap(({ name, files }) =>
        [...files]
          .filter(([file]) => file.startsWith(prefix))
          .map(([file, size]) => [mediaUrl(name, file), size] as const),
      ),
    )
    if (sizes.size === 0) continue
    const users = await db
      .selectFrom('users')
      .select(['id', `${address} as url`, `${bytes} as bytes`])
      .where(address, 'in', [...sizes.keys()])
      .execute()
    for (const { id, url, bytes: counted } of users) {
      const size = sizes.get(url ?? '')
      if (size === undefined || size === counted) continue
      await db
        .updateTable('users')
        .set({ [bytes]: size })
        .where('id', '=', id)
        .where(address, '=', url)
        .execute()
    }
  }
}
