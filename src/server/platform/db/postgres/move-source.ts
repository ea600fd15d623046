import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { AppError } from '../../errors.ts'
import {
  isOfSite,
  MOVED_MESSAGE,
  MOVED_TABLE,
  type MoveSource,
  quoteName,
  quoteNames,
} from '../move/move-ends.ts'
import { valueParsers } from './dialect.ts'
import { asking, listTableNames, readPostgresTables } from './move-tables.ts'
import { MOVE_LOCK } from './move-watch.ts'

/** For every node to notice. */
const NOTICE_MS = 2500
const TRIGGER = 'movedAway'
/** After 20 seconds the server drops a silent connection and its locks. */
const NOTICING_LOSS = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: 'clutch move-database',
    types: valueParsers,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Announces the move, waits for open writes, and locks all tables.
 * @throws `conflict` during another move
 */
export async function openPostgresSource(url: string): Promise<MoveSource> {
  const client = await connect(url)
  const ask = asking(client)
  try {
    for (const [name, value] of Object.entries(NOTICING_LOSS)) await ask(`SET ${name} = ${value}`)
    await ask('BEGIN')
    await ask('SET LOCAL idle_in_transaction_session_timeout = 0')
    await ask('SET LOCAL statement_timeout = 0')
    const [lock] = await ask<{ taken: number }>(
      'SELECT pg_try_advisory_xact_lock($1::int4, $2::int4) AS "taken"',
      [MOVE_LOCK.class, MOVE_LOCK.object],
    )
    if (!lock?.taken)
      throw new AppError('conflict', 'The database of this site is being moved already.')
    await pause(NOTICE_MS)
    const tables = (await listTableNames(ask)).filter(isOfSite)
    await ask(`LOCK TABLE ${quoteNames(tables)} IN EXCLUSIVE MODE`)
    return {
      ...readPostgresTables(ask),
      findZeroCharacter: async () => undefined,
      async markMoved(address) {
        await ask(`CREATE FUNCTION ${quoteName(TRIGGER)}() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION '${MOVED_MESSAGE}'; END $$`)
        for (const table of tables) {
          await ask(`CREATE TRIGGER ${quoteName(TRIGGER)}
            BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quoteName(table)}
            FOR EACH STATEMENT EXECUTE FUNCTION ${quoteName(TRIGGER)}()`)
        }
        await ask(`CREATE TABLE ${quoteName(MOVED_TABLE)} ("address" text PRIMARY KEY)`)
        await ask(`INSERT INTO ${quoteName(MOVED_TABLE)} VALUES ($1)`, [address])
        await ask('COMMIT')
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

export async function undoPostgresMove(url: string): Promise<void> {
  const client = await connect(url)
  const ask = asking(client)
  try {
    await ask('BEGIN')
    await ask(`DROP FUNCTION IF EXISTS ${quoteName(TRIGGER)}() CASCADE`)
    await ask(`DROP TABLE IF EXISTS ${quoteName(MOVED_TABLE)}`)
    await ask('COMMIT')
  } finally {
    await client.end()
  }
}
