import type { Database } from '../db/database.ts'

export async function findSiteSettings(db: Database) {
  const row = await db
    .selectFrom('siteSettings')
    .select(['name', 'uploadsNeedApproval'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return { name: row.name, uploadsNeedApproval: row.uploadsNeedApproval === 1 }
}

export async function updateSiteSettings(
  db: Database,
  change: { name?: string | undefined; uploadsNeedApproval?: boolean | undefined },
): Promise<void> {
  const { name, uploadsNeedApproval } = change
  if (name === undefined && uploadsNeedApproval === undefined) return
  await db
    .updateTable('siteSettings')
    .set({
      ...(name !== undefined && { name }),
      ...(uploadsNeedApproval !== undefined && {
        uploadsNeedApproval: uploadsNeedApproval ? 1 : 0,
      }),
    })
    .where('id', '=', 1)
    .execute()
}

/** The key of the digests that stand for visitors. */
export async function findViewerSecret(db: Database): Promise<string> {
  const { viewerSecret } = await db
    .selectFrom('siteSettings')
    .select('viewerSecret')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return viewerSecret
}
