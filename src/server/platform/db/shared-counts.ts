import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** A count after it was asked to grow, in milliseconds of the database's clock. */
export type SharedCount = {
  /** Whether it grew: it does not once it has reached its limit. */
  hasGrown: boolean
  count: number
  /** When its window ends, which tells windows of one key apart. */
  endsAt: number
  endsInMs: number
}

/** Counts in windows of fixed length, which the processes on a database share. A crash of its server forgives. */
export type SharedCounts = {
  /** Adds to a count unless it has reached `max` before; it may exceed that. The first of a window begins it. */
  add: (
    db: Kysely<Schema>,
    input: { key: string; amount: number; max: number; windowMs: number },
  ) => Promise<SharedCount>
  /** Takes one from a count again, unless the window is over that it was counted in. */
  giveBack: (db: Kysely<Schema>, place: { key: string; endsAt: number }) => Promise<void>
}
