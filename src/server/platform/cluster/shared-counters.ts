import type { QueryExecutorProvider } from 'kysely'

/** The state of a counter after an attempt to add to it, in milliseconds of the database's clock. */
export type SharedCount = {
  /** False when the counter had reached its limit before. */
  hasGrown: boolean
  count: number
  /** The end of its window; identifies the window. */
  endsAt: number
  endsInMs: number
}

/** Counters in windows of fixed length, shared by all processes on a database. A crash of its server resets them. */
export type SharedCounters = {
  /** Adds to a counter unless it has reached `max` already; the sum may exceed `max`. The first addition starts a window. */
  add: (
    db: QueryExecutorProvider,
    input: { key: string; amount: number; max: number; windowMs: number },
  ) => Promise<SharedCount>
  /** Subtracts one from a counter, unless the window in which it was counted is over. */
  giveBack: (db: QueryExecutorProvider, place: { key: string; endsAt: number }) => Promise<void>
}
