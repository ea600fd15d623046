import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Listeners run in the transaction `db` and return whom to notify after the commit. */
export const recordingsCame = createEvent<
  { db: DatabaseTransaction; userId: number; waiting: number },
  number[]
>()
