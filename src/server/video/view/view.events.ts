import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** In the transaction `db`. */
export const watchProgressed = createEvent<{
  db: DatabaseTransaction
  userId: number
  videoId: number
  positionSeconds: number
}>()
