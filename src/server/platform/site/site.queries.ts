import { createHash } from 'node:crypto'
import { type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { CATEGORIES, DEFAULT_CATEGORY } from '#shared/limits.ts'
import type { EditSiteSettings } from '#shared/schemas/desk/site.schemas.ts'
import { compiledOnce } from '../db/compiled-once.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/tables/column.ts'
import type { SiteSettingsTable } from '../db/tables/site.ts'

type Row = Omit<Selectable<SiteSettingsTable>, 'id' | 'viewerSecret' | 'vapidKeys'>

const COLUMNS = [
  'name',
  'tagline',
  'accent',
  'logoUrl',
  'rules',
  'registration',
  'uploadsNeedApproval',
  'extraCategories',
  'maxVideoBytes',
  'maxThumbnailBytes',
  'anonymousByDefault',
  'discordEmbedByDefault',
  'heldWords',
  'holdLinks',
  'defaultVisibility',
  'audience',
  'allowsDownloads',
  'fetchesAddresses',
  'newMemberDays',
  'newMemberComments',
  'backupHour',
  'backupsKept',
  'notice',
  'asksForUpdates',
  'updateAddress',
  'welcome',
  'localHosts',
] as const satisfies (keyof Row)[]

/** Visitors may see the site. */
export const isOpenSite: RawBuilder<SqlBool> = sql`(
  (SELECT "audience" FROM "siteSettings" WHERE "id" = 1) = 'everybody'
)`

const selectAudience = compiledOnce((db) =>
  db.selectFrom('siteSettings').select('audience').where('id', '=', 1).compile(),
)

export async function siteIsOpen(db: Database): Promise<boolean> {
  const [row] = await selectAudience(db, {})
  if (!row) throw new Error('The site has no settings.')
  return row.audience === 'everybody'
}

export type StoredSettings = Awaited<ReturnType<typeof findSiteSettings>>

export async function findSiteSettings(db: Database) {
  const row = await db
    .selectFrom('siteSettings')
    .select(COLUMNS)
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return {
    ...row,
    uploadsNeedApproval: row.uploadsNeedApproval === 1,
    anonymousByDefault: row.anonymousByDefault === 1,
    discordEmbedByDefault: row.discordEmbedByDefault === 1,
    holdLinks: row.holdLinks === 1,
    allowsDownloads: row.allowsDownloads === 1,
    fetchesAddresses: row.fetchesAddresses === 1,
    asksForUpdates: row.asksForUpdates === 1,
    extraCategories: JSON.parse(row.extraCategories) as string[],
    heldWords: JSON.parse(row.heldWords) as string[],
    localHosts: JSON.parse(row.localHosts) as string[],
  }
}

const selectLocalHosts = compiledOnce((db) =>
  db.selectFrom('siteSettings').select('localHosts').where('id', '=', 1).compile(),
)

export async function findLocalHosts(db: Database): Promise<string[]> {
  const [row] = await selectLocalHosts(db, {})
  return JSON.parse(row?.localHosts ?? '[]') as string[]
}

/** Returns one row per archived category, or a single row if there is none. */
const selectCategories = compiledOnce((db) =>
  db
    .selectFrom('siteSettings')
    .leftJoin('gameLooks', (join) => join.on('gameLooks.isArchived', '=', sql.lit(1)))
    .select(['siteSettings.extraCategories', 'gameLooks.category as archived'])
    .where('siteSettings.id', '=', 1)
    .compile(),
)

/** Includes archived categories. */
export async function listAllCategories(db: Database): Promise<string[]> {
  const [row] = await selectCategories(db, {})
  return toCategories(row?.extraCategories)
}

/** Returns the categories that can be chosen for videos. */
export async function listCategories(db: Database): Promise<string[]> {
  const rows = await selectCategories(db, {})
  const archived = new Set(rows.map((row) => row.archived))
  return toCategories(rows[0]?.extraCategories).filter((name) => !archived.has(name))
}

const toCategories = (extra = '[]') => [...CATEGORIES, ...(JSON.parse(extra) as string[])]

export async function updateSiteSettings(
  db: Database,
  settings: Omit<EditSiteSettings, 'was'> & { logoUrl?: string | null },
): Promise<void> {
  const change: Updateable<SiteSettingsTable> = {}
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined) Object.assign(change, { [name]: toColumn(value) })
  }
  if (Object.keys(change).length === 0) return
  await db.updateTable('siteSettings').set(change).where('id', '=', 1).execute()
}

function toColumn(value: string | number | boolean | string[] | null) {
  if (typeof value === 'boolean') return toFlag(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}

export async function forgetUpdateAnswer(db: Database): Promise<void> {
  await db
    .updateTable('siteSettings')
    .set({ updateAskedAt: null, updateAnswer: null })
    .where('id', '=', 1)
    .execute()
}

export async function updatePinnedVideo(db: Database, videoId: number | null): Promise<void> {
  await db.updateTable('siteSettings').set({ pinnedVideoId: videoId }).where('id', '=', 1).execute()
}

/** Includes open uploads. */
export async function moveToDefaultCategory(db: Database, removed: string[]): Promise<void> {
  if (removed.length === 0) return
  const category = DEFAULT_CATEGORY
  await db.updateTable('videos').set({ category }).where('category', 'in', removed).execute()
  await db.updateTable('uploads').set({ category }).where('category', 'in', removed).execute()
}

export async function isSiteLogo(db: Database, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('siteSettings')
    .select('id')
    .where('logoUrl', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

/** Identifies the site for one use without revealing its secret. */
export async function findSiteMark(db: Database, use: 'backups' | 'media'): Promise<string> {
  const secret = await findViewerSecret(db)
  return createHash('sha256').update(`${use} of ${secret}`).digest('hex').slice(0, 32)
}

/** Null while data folders have them. */
export async function findStoreRecords(db: Database): Promise<string | null> {
  const { storeRecords } = await db
    .selectFrom('siteSettings')
    .select('storeRecords')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return storeRecords
}

export async function updateStoreRecords(db: Database, storeRecords: string): Promise<void> {
  await db.updateTable('siteSettings').set({ storeRecords }).where('id', '=', 1).execute()
}

/** HMAC key for visitors' digests. */
export async function findViewerSecret(db: Database): Promise<string> {
  const { viewerSecret } = await db
    .selectFrom('siteSettings')
    .select('viewerSecret')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return viewerSecret
}
