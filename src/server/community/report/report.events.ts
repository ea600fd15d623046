import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Raised in the transaction of the report. */
export const reportMade = createEvent<{ db: DatabaseTransaction; reportId: number }>()
