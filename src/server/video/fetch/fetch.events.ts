import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** A file did not come, or waits for a decision. Listeners return whom to notify after the commit. */
export const fetchEnded = createEvent<
  { db: DatabaseTransaction; userId: number; title: string; problem: string },
  number[]
>()
