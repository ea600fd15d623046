import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { isBusy } from './errors.ts'

/** For another program's write lock. */
const WAIT_MS = 2000
/** Doubles up to the longest. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

type Settings = SqliteDialectConfig & {
  /** Transactions take the write lock when they begin. */
  writes: boolean
}

/**
 * Each statement or transaction takes a turn. While another program writes it waits without one, so
 * that reads continue. See docs/decisions/0003-one-synchronous-connection.md.
 */
export class SharingDriver extends SqliteDriver {
  readonly #turns = createTurns()
  readonly #begin: CompiledQuery

  constructor({ writes, ...config }: Settings) {
    super(config)
    // After a read, a transaction that gets no lock could not be retried.
    this.#begin = CompiledQuery.raw(writes ? 'begin immediate' : 'begin')
  }

  override async acquireConnection(): Promise<SharedConnection> {
    return new SharedConnection(await super.acquireConnection(), this.#turns)
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await shared(connection).begin(this.#begin)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    shared(connection).end()
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } finally {
      shared(connection).end()
    }
  }
}

class SharedConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #turns: Turns
  #isInTransaction = false

  constructor(connection: DatabaseConnection, turns: Turns) {
    this.#connection = connection
    this.#turns = turns
  }

  /** @throws `SQLITE_BUSY` while another program writes for over 2 s */
  async begin(query: CompiledQuery): Promise<void> {
    await this.#takeTurn(query)
    this.#isInTransaction = true
  }

  end(): void {
    if (this.#isInTransaction) this.#turns.end()
    this.#isInTransaction = false
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInTransaction) return this.#connection.executeQuery(query)
    const result = await this.#takeTurn<Row>(query)
    this.#turns.end()
    return result
  }

  async *streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    await this.#turns.take()
    try {
      yield* this.#connection.streamQuery<Row>(query, chunkSize)
    } finally {
      this.#turns.end()
    }
  }

  /** Keeps the turn unless it throws. */
  async #takeTurn<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    let deadline = Number.POSITIVE_INFINITY
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await this.#turns.take()
      try {
        return await this.#connection.executeQuery<Row>(query)
      } catch (error) {
        this.#turns.end()
        const now = performance.now()
        if (!isBusy(error) || now >= deadline) throw error
        deadline = Math.min(deadline, now + WAIT_MS)
      }
      await pause(wait)
    }
  }
}

type Turns = ReturnType<typeof createTurns>

/** First come, first served. */
function createTurns() {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    async take(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    end(): void {
      const next = waiting.shift()
      if (next) next()
      else isTaken = false
    },
  }
}

function shared(connection: DatabaseConnection): SharedConnection {
  if (connection instanceof SharedConnection) return connection
  throw new Error('The connection is of another driver.')
}
