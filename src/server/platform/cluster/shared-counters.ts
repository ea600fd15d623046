import type { QueryExecutorProvider } from 'kysely'

/** Milliseconds of the database's clock. */
export type SharedCount = {
  hasGrown: boolean
  count: number
  /** Identifies the window. */
  endsAt: number
  endsInMs: number
}

/** Fixed windows; lost when the database server crashes. */
export type SharedCounters = {
  /** Up to `max`, which the sum may pass. The first addition starts a window. */
  add: (
    db: QueryExecutorProvider,
    input: { key: string; amount: number; max: number; windowMs: number },
  ) => Promise<SharedCount>
  /** Unless the window is over. */
  giveBack: (db: QueryExecutorProvider, place: { key: string; endsAt: number }) => Promise<void>
}
