import { z } from 'zod'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { findStep, insertStep } from './sign-in-step.queries.ts'

/**
 * Requests that were sent before the browser received its new token arrive with the old one. For this time the old
 * one still opens the session, without the confirmation.
 */
export const REPLACED_MS = 10_000

const KIND = 'replaced-session'
const dataSchema = z.object({ id: z.string() })

/** @param input.oldId the earlier id of the session, which is the digest of its token */
export async function noteReplacement(
  db: Database,
  input: { oldId: string; newId: string; userId: number },
): Promise<void> {
  await insertStep(db, {
    id: input.oldId,
    kind: KIND,
    userId: input.userId,
    data: JSON.stringify({ id: input.newId }),
    expiresAt: timestamp(new Date(Date.now() + REPLACED_MS)),
  })
}

/** @returns the current id of the session */
export async function findReplacement(db: Database, id: string): Promise<string | undefined> {
  const step = await findStep(db, { id, kind: KIND, now: timestamp() })
  return step && dataSchema.parse(JSON.parse(step.data)).id
}
