import type { Database } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Notifies these members, in the transaction of the change. */
export const membersTold = createEvent<{
  db: Database
  userIds: number[]
  title: string
  message: string
}>()
