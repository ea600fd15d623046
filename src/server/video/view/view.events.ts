import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** A member reported how far they have watched; raised in the transaction that records it, as `db`. */
export const watchProgressed = createEvent<{
  db: DatabaseTransaction
  userId: number
  videoId: number
  positionSeconds: number
}>()
