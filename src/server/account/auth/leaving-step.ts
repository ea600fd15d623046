/**
 * Signing in to an account that is scheduled for deletion begins a sign-in step instead of a session. That step can
 * keep the account. See docs/decisions/0082-ones-own-data.md.
 */
import { AppError } from '#server/platform/errors.ts'
import { formatDate } from '#shared/text/format.ts'
import { findAccount } from './auth.queries.ts'
import { type FirstStep, firstStepSchema } from './second-factor-step.ts'
import { beginStep, readStep, type StepKind, takeStep } from './sign-in-step.ts'

type Steps = Parameters<typeof takeStep>[0]

const keepAccount: StepKind<FirstStep> = { kind: 'keep-account', data: firstStepSchema }

/** Tells a visit to an identity provider that the step has begun, so that it shows that step. */
export class LeavingError extends AppError {}

/** @throws `forbidden`, always */
export async function refuseLeaving(
  steps: Steps,
  input: FirstStep & { userId: number; deletesAt: string },
): Promise<never> {
  const { userId, deletesAt, ...data } = input
  await beginStep(steps, keepAccount, { userId, data: firstStepSchema.parse(data) })
  throw new LeavingError(
    'forbidden',
    `This account will be deleted on ${formatDate(deletesAt)}. Sign in on the site to keep it.`,
  )
}

export async function readLeaving(steps: Steps): Promise<{ deletesAt: string } | null> {
  const step = await readStep(steps, keepAccount)
  const account = step?.userId ? await findAccount(steps.db, step.userId) : undefined
  return account?.deletesAt ? { deletesAt: account.deletesAt } : null
}

/** @throws `gone` when the step was already used or has expired */
export async function takeLeaving(steps: Steps): Promise<FirstStep & { userId: number }> {
  const step = await takeStep(steps, keepAccount)
  if (!step?.userId) throw new AppError('gone', 'This took too long. Please sign in again.')
  return { ...step.data, userId: step.userId }
}
