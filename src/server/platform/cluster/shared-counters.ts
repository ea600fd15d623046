import type { QueryExecutorProvider } from 'kysely'

/** Milliseconds of the database's clock. */
export type SharedCount = {
  hasGrown: boolean
  count: number
  /** Identifies the window. */
  endsAt: number
  endsInMs: number
}

/** Fixed windows. A crash of the database server resets them. */
export type SharedCounters = {
  /** Unless `max` is reached; the sum may exceed it. The first addition starts a window. */
  add: (
    db: QueryExecutorProvider,
    input: { key: string; amount: number; max: number; windowMs: number },
  ) => Promise<SharedCount>
  /** Unless the window is over. */
  giveBack: (db: QueryExecutorProvider, place: { key: string; endsAt: number }) => Promise<void>
}
