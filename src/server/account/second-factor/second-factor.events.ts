import type { Database } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Raised within the transaction of a change to notify these members. */
export const membersTold = createEvent<{
  db: Database
  userIds: number[]
  title: string
  message: string
}>()
