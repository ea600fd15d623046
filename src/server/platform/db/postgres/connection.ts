import pg from 'pg'
import { valueParsers } from './dialect.ts'

const CONNECTIONS_MAX = 10
/** Also how long a statement waits for a connection that is free. */
const CONNECT_MS = 5000
/** A site's statements take a hundredth of it: whatever is not answered by then is taken for a line that is cut. */
const ANSWER_MS = 15_000

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
          if (error.message === TIMED_OUT) this.end().catch(() => {})
        })
      }
      return answer
    }
    this.query = askPromptly as pg.Client['query']
  }
}

/** @param options.isPatient for what may take minutes, such as a migration or a move */
export function createPool(url: string, options: { isPatient?: boolean } = {}): pg.Pool {
  const pool = new pg.Pool({
    ...settingsOf(url),
    Client: PromptClient,
    max: CONNECTIONS_MAX,
    ...(options.isPatient ? {} : { query_timeout: ANSWER_MS }),
  })
  // Of a connection that nobody uses: the next one to need it is told.
  pool.on('error', () => {})
  return pool
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
