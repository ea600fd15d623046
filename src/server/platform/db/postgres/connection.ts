import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { kindOfCall } from '../kind-of-call.ts'
import { createConnectionShares } from './connection-shares.ts'
import { valueParsers } from './dialect.ts'
import { isLockTimeout } from './errors.ts'

const CONNECTIONS_MAX = 10
/** Leaves some while a table of this kind of call is locked. */
const CONNECTIONS_PER_KIND = 5
/** Also the wait for a free connection. */
const CONNECT_MS = 5000
/** A hundred times the usual; then the connection counts as broken. */
const ANSWER_MS = 15_000
/** Wait for others' locks, before a 503. */
export const LOCK_WAIT_MS = 2000
const SET_LOCK_WAIT = `lock_timeout = ${LOCK_WAIT_MS}`

const TIMED_OUT = 'Query read timeout'
/** Shown in `pg_stat_activity`. */
const APPLICATION = 'clutch'

/** Ends the connection with a timeout: the next statement would wait behind. */
class TimedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The failed query reports it; an idle connection must not end the process.
    this.on('error', () => {})
    const ask = this.query.bind(this) as (...args: unknown[]) => unknown
    const queryInTime = (...args: unknown[]) => {
      const answer = ask(...args)
      if (answer instanceof Promise) {
        answer.catch((error: Error) => {
          this.noteFailure(error)
        })
      }
      return answer
    }
    this.query = queryInTime as pg.Client['query']
  }

  protected noteFailure(error: Error): void {
    if (error.message === TIMED_OUT) this.end().catch(() => {})
  }
}

/** Sets the lock timeout with each statement: transaction poolers share sessions. */
class PooledClient extends TimedClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const ask = this.query.bind(this) as (...args: unknown[]) => Promise<unknown>
    const queryInTransaction = async (...args: unknown[]) => {
      const isAlone = this.getTransactionStatus() === 'I' && !/^BEGIN\b/.test(String(args[0]))
      if (!isAlone) return ask(...args)
      try {
        await ask(`BEGIN; SET LOCAL ${SET_LOCK_WAIT}`)
        const answer = await ask(...args)
        await ask('COMMIT')
        return answer
      } catch (error) {
        await ask('ROLLBACK').catch(() => {})
        throw error
      }
    }
    this.query = queryInTransaction as pg.Client['query']
  }
}

type PoolOptions = {
  /** Statements may take minutes, as in a migration or a move. */
  isPatient?: boolean
  /** `url` is a pooler that keeps no sessions. */
  isPooled?: boolean
  onLockTimeout?: (error: Error) => void
}

export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const { isPatient, isPooled, onLockTimeout } = options
  const bound = isPooled ? {} : { onConnect: setLockWait }
  const pool = new pg.Pool({
    ...settingsOf(url),
    Client: class extends (isPooled && !isPatient ? PooledClient : TimedClient) {
      protected override noteFailure(error: Error): void {
        super.noteFailure(error)
        if (isLockTimeout(error)) onLockTimeout?.(error)
      }
    },
    max: CONNECTIONS_MAX,
    ...(isPatient ? {} : { query_timeout: ANSWER_MS, ...bound }),
  })
  // The next query gets the error.
  pool.on('error', () => {})
  return pool
}

const setLockWait = (client: pg.ClientBase) => client.query(`SET ${SET_LOCK_WAIT}`)

/** No kind of call gets all connections. */
export function createSharedPool(url: string, options: PoolOptions): PostgresPool {
  const shares = createConnectionShares({
    connections: CONNECTIONS_MAX,
    perKind: CONNECTIONS_PER_KIND,
    waitMs: CONNECT_MS,
  })
  const pool = createPool(url, {
    ...options,
    onLockTimeout(error) {
      const kind = kindOfCall()
      if (kind !== undefined) shares.refuse(kind, error)
    },
  })
  const leaves = new Map<pg.ClientBase, () => void>()
  pool.on('release', (_, client) => {
    leaves.get(client)?.()
    leaves.delete(client)
  })
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const kind = kindOfCall()
      if (kind === undefined) return pool.connect()
      const leave = await shares.take(kind)
      try {
        const client = await pool.connect()
        leaves.set(client, leave)
        return client
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/**
 * Unopened.
 * @param answerMs timeout of a statement
 */
export function createClient(url: string, { answerMs }: { answerMs: number }): pg.Client {
  return new TimedClient({ ...settingsOf(url), query_timeout: answerMs })
}

function settingsOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: APPLICATION,
    types: valueParsers,
  }
}
