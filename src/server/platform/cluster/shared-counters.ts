import type { QueryExecutorProvider } from 'kysely'

/** Of a counter after an addition; milliseconds of the database's clock. */
export type SharedCount = {
  /** False when the limit was reached before. */
  hasGrown: boolean
  count: number
  /** Identifies the window. */
  endsAt: number
  endsInMs: number
}

/** Fixed windows, shared by all nodes. A crash of the database server resets them. */
export type SharedCounters = {
  /** Adds unless the counter has reached `max`; the sum may exceed `max`. The first addition starts a window. */
  add: (
    db: QueryExecutorProvider,
    input: { key: string; amount: number; max: number; windowMs: number },
  ) => Promise<SharedCount>
  /** Does nothing after the window is over. */
  giveBack: (db: QueryExecutorProvider, place: { key: string; endsAt: number }) => Promise<void>
}
