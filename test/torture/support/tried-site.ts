import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openSiteDatabase } from '#server/platform/db/site-database.ts'

/** Environment variables that say where a site has its media, and its database, unless both are in its data folder. */
export type Variables = Record<string, string>

/** Opens the database of a site that is tried, running or not. */
export async function openTriedSite(dataFolder: string, env: Variables = {}): Promise<Database> {
  return openSiteDatabase(readConfig({ ...env, DATA_DIR: dataFolder }), { isPatient: true })
}
