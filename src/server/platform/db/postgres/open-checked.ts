import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { tryLock } from '../../cluster/locks.ts'
import { lockNumber } from '../../cluster/postgres/postgres-locks.ts'
import { ConfigError } from '../../errors.ts'
import type { Database } from '../engine.ts'
import { hasCode } from '../error-code.ts'
import { createClient } from './connection.ts'
import { openPostgresDatabase } from './engine.ts'

const OLDEST_VERSION = 15
const EXTENSIONS = ['citext']

const SESSION_TRIES = 3
const ANSWER_MS = 5000

const CONNECT_FAILURES: [codes: string[], sentence: string][] = [
  [['28'], 'The PostgreSQL server that DATABASE_URL names refuses the user or the password.'],
  [['3D000'], 'The PostgreSQL server that DATABASE_URL names has no database of that name.'],
  [['42501'], 'The user that DATABASE_URL names may not connect to the database.'],
  [['53300'], 'The PostgreSQL server that DATABASE_URL names takes no further connection.'],
  [
    ['CERT_', 'DEPTH_ZERO', 'SELF_SIGNED', 'UNABLE_TO_', 'ERR_TLS'],
    'The certificate of the PostgreSQL server that DATABASE_URL names cannot be verified.',
  ],
]
const NO_ADDRESS = 'DATABASE_URL must be postgres://user:password@host/database.'
const NO_CERTIFICATE = 'A file of certificates that DATABASE_URL names cannot be read.'
const NO_ANSWER = 'The PostgreSQL server that DATABASE_URL names does not answer.'

/**
 * Changes nothing.
 * @throws ConfigError with a sentence
 */
export async function openCheckedDatabase(
  url: string,
  options: { directUrl?: string | undefined; isPatient?: boolean } = {},
): Promise<Database> {
  const db = openPostgresDatabase(url, options)
  try {
    const problem =
      (await findProblem(db)) ??
      (await findDirectProblem(options)) ??
      (await findPoolerProblem(db, options))
    if (problem) throw new ConfigError(problem)
    return db
  } catch (error) {
    await db.destroy()
    throw error instanceof ConfigError ? error : new ConfigError(describe(error))
  }
}

type Server = {
  version: number
  shownVersion: string
  encoding: string
  hasUnicode: number
  mayCreate: number
}

async function findProblem(db: Database): Promise<string | undefined> {
  const { rows } = await sql<Server>`
    SELECT current_setting('server_version_num')::int / 10000 AS "version",
      current_setting('server_version') AS "shownVersion",
      current_setting('server_encoding') AS "encoding",
      EXISTS (SELECT 1 FROM "pg_collation" WHERE "collname" = 'und-x-icu') AS "hasUnicode",
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE) AS "mayCreate"`.execute(db)
  const [server] = rows
  if (!server) return NO_ANSWER
  if (server.version < OLDEST_VERSION) {
    return `The PostgreSQL server that DATABASE_URL names is ${server.shownVersion}; ${OLDEST_VERSION} or newer is needed.`
  }
  if (server.encoding !== 'UTF8') {
    return `The database that DATABASE_URL names has the encoding ${server.encoding}; UTF8 is needed.`
  }
  if (!server.hasUnicode) {
    return 'The PostgreSQL server that DATABASE_URL names lacks ICU, with which it compares letters of all languages.'
  }
  if (!server.mayCreate) {
    return 'The user that DATABASE_URL names may not create tables in the database.'
  }
  return findMissingExtension(db)
}

/** The bus would only retry silently. */
async function findDirectProblem({
  directUrl,
}: {
  directUrl?: string | undefined
}): Promise<string | undefined> {
  if (directUrl === undefined) return undefined
  let client: ReturnType<typeof createClient> | undefined
  try {
    client = createClient(directUrl, { answerMs: ANSWER_MS })
    await client.connect()
    await client.query('SELECT 1')
    return undefined
  } catch (error) {
    return describe(error).replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL')
  } finally {
    await client?.end().catch(() => {})
  }
}

/** Bus and locks need sessions, which transaction poolers do not keep. */
async function findPoolerProblem(
  db: Database,
  { directUrl }: { directUrl?: string | undefined },
): Promise<string | undefined> {
  if (await keepsSession(db)) return undefined
  return directUrl === undefined
    ? 'The pooler that DATABASE_URL names keeps no sessions. Name the server itself in DATABASE_DIRECT_URL, too.'
    : 'The pooler that DATABASE_DIRECT_URL names keeps no sessions. Name the server itself.'
}

/** A transaction pooler would run the queries in the session that has the lock. */
async function keepsSession(db: Database): Promise<boolean> {
  const name = `session ${randomUUID()}`
  const release = await tryLock(db, name)
  try {
    for (let tries = 0; tries < SESSION_TRIES; tries++) {
      const { rows } = await sql<{ isShared: number }>`
        SELECT pg_try_advisory_xact_lock(${lockNumber(name)}::bigint) AS "isShared"`.execute(db)
      if (rows[0]?.isShared) return false
    }
    return true
  } finally {
    await release?.()
  }
}

async function findMissingExtension(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; mayAdd: number }>`
    SELECT "wanted"."name", EXISTS (
      SELECT 1 FROM "pg_available_extension_versions" AS "version"
      JOIN "pg_roles" AS "role" ON "role"."rolname" = CURRENT_USER
      WHERE "version"."name" = "wanted"."name" AND ("role"."rolsuper"
        OR ("version"."trusted" AND has_database_privilege(current_database(), 'CREATE')))
    ) AS "mayAdd"
    FROM unnest(${EXTENSIONS}::text[]) AS "wanted" ("name")
    WHERE NOT EXISTS (SELECT 1 FROM "pg_extension" WHERE "extname" = "wanted"."name")`.execute(db)
  const missing = rows.find(({ mayAdd }) => !mayAdd)
  return (
    missing &&
    `The database that DATABASE_URL names lacks the extension ${missing.name}, which this user may not add.`
  )
}

function describe(error: unknown): string {
  if (hasCode(error, 'ERR_INVALID_URL')) return NO_ADDRESS
  const isFile = error instanceof Error && 'syscall' in error && error.syscall === 'open'
  if (isFile) return NO_CERTIFICATE
  const known = CONNECT_FAILURES.find(([codes]) => codes.some((code) => hasCode(error, code)))
  return known?.[1] ?? NO_ANSWER
}
