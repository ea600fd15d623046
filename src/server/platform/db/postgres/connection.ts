import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { kindOfCall } from '../kind-of-call.ts'
import { createConnectionShares } from './connection-shares.ts'
import { valueParsers } from './dialect.ts'
import { isLockTimeout } from './errors.ts'

const CONNECTIONS_MAX = 10
/** For one kind of call, so that the others are answered while a table that it needs is locked. */
const CONNECTIONS_PER_KIND = 5
/** Also how long a statement waits for a connection that is free. */
const CONNECT_MS = 5000
/** A site's statements take a hundredth of it: whatever is not answered by then is taken for a line that is cut. */
const ANSWER_MS = 15_000
/** How long a statement waits for other clients, such as one that alters its table, before the call is answered 503. */
export const LOCK_WAIT_MS = 2000
const SET_LOCK_WAIT = `lock_timeout = ${LOCK_WAIT_MS}`

const TIMED_OUT = 'Query read timeout'
/** What a program calls itself in `pg_stat_activity`. */
const APPLICATION = 'clutch'

/**
 * A connection that ends when a statement is not answered in time: whatever is asked next would wait behind it.
 */
class PromptClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // Whoever asks something is told; a connection that ends meanwhile, or is not used, is no reason for the process to.
    this.on('error', () => {})
    const ask = this.query.bind(this) as (...given: unknown[]) => unknown
    const askPromptly = (...given: unknown[]) => {
      const answer = ask(...given)
      if (answer instanceof Promise) {
        answer.catch((error: Error) => {
          this.noteFailure(error)
        })
      }
      return answer
    }
    this.query = askPromptly as pg.Client['query']
  }

  protected noteFailure(error: Error): void {
    if (error.message === TIMED_OUT) this.end().catch(() => {})
  }
}

/**
 * Says with each statement how long it may wait for locks: a pooler of transactions lends any session, and what is set for
 * a session would be another client's.
 */
class PooledClient extends PromptClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const ask = this.query.bind(this) as (...given: unknown[]) => Promise<unknown>
    const askInTransaction = async (...given: unknown[]) => {
      const isAlone = this.getTransactionStatus() === 'I' && !/^BEGIN\b/.test(String(given[0]))
      if (!isAlone) return ask(...given)
      try {
        await ask(`BEGIN; SET LOCAL ${SET_LOCK_WAIT}`)
        const answer = await ask(...given)
        await ask('COMMIT')
        return answer
      } catch (error) {
        await ask('ROLLBACK').catch(() => {})
        throw error
      }
    }
    this.query = askInTransaction as pg.Client['query']
  }
}

type PoolOptions = {
  /** For what may take minutes, such as a migration or a move. */
  isPatient?: boolean
  /** `url` is a pooler that keeps no sessions. */
  isPooled?: boolean
  /** Called for a statement that waited for a lock in vain, in the context of the call that asked it. */
  onLockTimeout?: (error: Error) => void
}

export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const { isPatient, isPooled, onLockTimeout } = options
  const bound = isPooled ? {} : { onConnect: setLockWait }
  const pool = new pg.Pool({
    ...settingsOf(url),
    Client: class extends (isPooled && !isPatient ? PooledClient : PromptClient) {
      protected override noteFailure(error: Error): void {
        super.noteFailure(error)
        if (isLockTimeout(error)) onLockTimeout?.(error)
      }
    },
    max: CONNECTIONS_MAX,
    ...(isPatient ? {} : { query_timeout: ANSWER_MS, ...bound }),
  })
  // An idle connection failed: the next query that needs one gets the error.
  pool.on('error', () => {})
  return pool
}

const setLockWait = (client: pg.ClientBase) => client.query(`SET ${SET_LOCK_WAIT}`)

/** A pool of which no kind of call takes all connections. */
export function createSharedPool(url: string, options: PoolOptions): PostgresPool {
  const shares = createConnectionShares({ perKind: CONNECTIONS_PER_KIND, waitMs: CONNECT_MS })
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

/** A connection of its own, which is not opened yet. @param answerMs how long a statement on it may take */
export function createClient(url: string, { answerMs }: { answerMs: number }): pg.Client {
  return new PromptClient({ ...settingsOf(url), query_timeout: answerMs })
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
