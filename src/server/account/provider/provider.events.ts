/** Listeners run in the transaction `db`. */
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

type SquadAct = { db: DatabaseTransaction; userId: number; squadId: number }

/**
 * Raised when a role of a provider makes somebody a member of a squad. Listeners return the members to notify, or
 * null if they changed nothing.
 */
export const squadGiven = createEvent<SquadAct, number[] | null>()

/** Raised when somebody loses such a role. Listeners return the members to notify. */
export const squadTaken = createEvent<SquadAct, number[]>()
