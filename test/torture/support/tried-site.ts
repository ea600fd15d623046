import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, type PostgresPoolClient } from 'kysely'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { createPool } from '#server/platform/db/postgres/connection.ts'
import { postgresDialect } from '#server/platform/db/postgres/dialect.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { isAway } from '#server/platform/db/postgres/errors.ts'
import type { Schema } from '#server/platform/db/schema.ts'

const AWAY_MS = 100

/** Environment variables that say where a site has its media, and its database, unless both are in its data folder. */
export type Variables = Record<string, string>

/** Opens the database of a site that is tried, running or not, to look into it. */
export function openTriedSite(dataFolder: string, env: Variables = {}): Database {
  const { databaseUrl } = readConfig({ ...env, DATA_DIR: dataFolder })
  return databaseUrl === undefined ? openDatabaseToRead(dataFolder) : openToLookOn(databaseUrl)
}

/** For single statements that read: one is asked again for as long as the server is away. */
function openToLookOn(url: string): Database {
  const pool = createPool(url)
  const query = async (text: string, values: readonly unknown[]) => {
    for (;;) {
      try {
        return await pool.query(text, [...values])
      } catch (error) {
        if (!isAway(error)) throw error
        await pause(AWAY_MS)
      }
    }
  }
  const client = { query, release: () => {} } as unknown as PostgresPoolClient
  const connections = { connect: async () => client, options: {}, end: () => pool.end() }
  const engine = engineOf(openPostgresDatabase(url))
  return new Kysely<Schema>({
    dialect: postgresDialect({ pool: connections, engine, abandonedMs: 8000, lockWaitMs: 0 }),
  })
}
