import type { Database } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Raised with a message for these members, in the transaction of the act. */
export const membersTold = createEvent<{
  db: Database
  userIds: number[]
  title: string
  message: string
}>()
