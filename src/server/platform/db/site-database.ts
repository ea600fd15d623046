import type { Config } from '../config.ts'
import type { Database } from './database.ts'
import { openDatabase, openDatabaseToRead } from './open.ts'

type Place = Pick<Config, 'dataFolder' | 'databaseUrl'> & Partial<Pick<Config, 'databaseDirectUrl'>>
type Options = { isPatient?: boolean }

/**
 * DATABASE_URL, or `clutch.db` in the data folder, which must exist. Changes nothing.
 * @param options.isPatient statements may take minutes
 * @throws ConfigError with a sentence
 */
export async function openSiteDatabase(place: Place, options: Options = {}): Promise<Database> {
  return place.databaseUrl === undefined
    ? openDatabase(place.dataFolder)
    : openOnServer(place.databaseUrl, { directUrl: place.databaseDirectUrl, ...options })
}

/** @throws also without a database */
export async function openSiteDatabaseToRead({
  dataFolder,
  databaseUrl,
  databaseDirectUrl: directUrl,
}: Place): Promise<Database> {
  return databaseUrl === undefined
    ? openDatabaseToRead(dataFolder)
    : openOnServer(databaseUrl, { directUrl, isPatient: true })
}

async function openOnServer(
  url: string,
  options: Options & { directUrl?: string | undefined },
): Promise<Database> {
  const { openCheckedDatabase } = await import('./postgres/open-checked.ts')
  return openCheckedDatabase(url, options)
}
