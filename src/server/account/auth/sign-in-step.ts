/**
 * Data that the server keeps between two steps of a sign-in. The browser has only a token, in a cookie that lasts ten
 * minutes, so a step works once and only in the browser that began it. See docs/decisions/0077-sign-in-steps.md.
 */

import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { SIGN_IN_STEP_MS } from '#server/platform/request/credentials.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import { deleteStep, findStep, insertStep } from './sign-in-step.queries.ts'

type Steps = Pick<Context, 'db' | 'stepCookie'>

export type StepKind<Data> = { kind: string; data: z.ZodType<Data> }

export async function beginStep<Data>(
  { db, stepCookie }: Steps,
  { kind }: StepKind<Data>,
  { userId, data }: { userId: number | null; data: Data },
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = timestamp(new Date(Date.now() + SIGN_IN_STEP_MS))
  await insertStep(db, {
    id: digestOf(token),
    kind,
    userId,
    data: JSON.stringify(data),
    expiresAt,
  })
  stepCookie.write(token)
}

/** Reads the step without deleting it, so that another attempt is possible. */
export async function readStep<Data>({ db, stepCookie }: Steps, { kind, data }: StepKind<Data>) {
  const token = stepCookie.read()
  if (!token) return undefined
  const step = await findStep(db, { id: digestOf(token), kind, now: timestamp() })
  if (!step) return undefined
  return { id: step.id, userId: step.userId, data: data.parse(JSON.parse(step.data)) }
}

/** Reads and deletes the step, so that it can be used only once. */
export async function takeStep<Data>(steps: Steps, kind: StepKind<Data>) {
  const step = await readStep(steps, kind)
  if (!step || !(await deleteStep(steps.db, step.id))) return undefined
  steps.stepCookie.clear()
  return step
}
