/** Listeners run in the transaction `db`. */
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { createEvent } from '#server/platform/events/event.ts'

type SquadAct = { db: DatabaseTransaction; userId: number; squadId: number }

/** A role of a provider makes somebody a member of a squad. Listeners return whom to notify, or null if they changed nothing. */
export const squadGiven = createEvent<SquadAct, number[] | null>()

/** The role is gone. Listeners return whom to notify. */
export const squadTaken = createEvent<SquadAct, number[]>()
