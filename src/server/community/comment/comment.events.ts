import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

/** Raised when others can see a comment for the first time, in that transaction. */
export const commentShown = createEvent<{ db: DatabaseTransaction; commentId: number }>()
