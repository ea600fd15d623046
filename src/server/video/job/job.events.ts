import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Raised when a job is given up, in that transaction. */
export const jobFailed = createEvent<{ db: DatabaseTransaction; jobId: number }>()
