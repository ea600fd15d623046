import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Raised in the transaction that creates the account. */
export const memberJoined = createEvent<{ db: DatabaseTransaction; userId: number }>()
