import type { QueryExecutorProvider } from 'kysely'

/** Seconds since the first report, and newly watched ones: at most those since the last. */
export type Lap = { passed: number; fresh: number }

/** Milliseconds. */
export type SharedStopwatches = {
  report: (
    db: QueryExecutorProvider,
    input: { name: string; watchedSeconds: number; now: number },
  ) => Promise<Lap>
  deleteIdle: (db: QueryExecutorProvider, before: number) => Promise<void>
}
