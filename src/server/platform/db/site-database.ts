import type { Config } from '../config.ts'
import { type Database, openDatabase, openDatabaseToRead } from './database.ts'

type Place = Pick<Config, 'dataFolder' | 'databaseUrl'>

/**
 * Opens a site's database: the one that DATABASE_URL names, or `clutch.db` in the data folder, which must exist.
 * @throws ConfigError where a database on PostgreSQL cannot be had or cannot hold a site, in a sentence; nothing is
 * changed
 */
export async function openSiteDatabase({ dataFolder, databaseUrl }: Place): Promise<Database> {
  return databaseUrl === undefined ? openDatabase(dataFolder) : openOnServer(databaseUrl)
}

/**
 * As `openSiteDatabase`, for what only reads.
 * @throws also when there is no database
 */
export async function openSiteDatabaseToRead({
  dataFolder,
  databaseUrl,
}: Place): Promise<Database> {
  return databaseUrl === undefined ? openDatabaseToRead(dataFolder) : openOnServer(databaseUrl)
}

async function openOnServer(url: string): Promise<Database> {
  const { openCheckedDatabase } = await import('./postgres/open-checked.ts')
  return openCheckedDatabase(url)
}
