/**
 * Who signs in to an account that will be deleted gets no session but a step of the sign-in, which
 * keeps the account. See docs/decisions/0082-ones-own-data.md.
 */
import { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'
import { formatDate } from '#shared/text/format.ts'
import { findAccount } from './auth.queries.ts'
import { beginStep, readStep, type StepKind, takeStep } from './sign-in-step.ts'

type Steps = Parameters<typeof takeStep>[0]

const keepAccount: StepKind<SignIn> = {
  kind: 'keep-account',
  data: z.object({
    rememberMe: z.boolean(),
    method: z.enum(['password', 'provider', 'passkey']),
  }),
}
type SignIn = { rememberMe: boolean; method: 'password' | 'provider' | 'passkey' }

/** @throws `forbidden`, always */
export async function refuseLeaving(
  steps: Steps,
  input: SignIn & { userId: number; deletesAt: string },
): Promise<never> {
  const { userId, rememberMe, method, deletesAt } = input
  await beginStep(steps, keepAccount, { userId, data: { rememberMe, method } })
  throw new AppError(
    'forbidden',
    `This account will be deleted on ${formatDate(deletesAt)}. Sign in on the site to keep it.`,
  )
}

export async function readLeaving(steps: Steps): Promise<{ deletesAt: string } | null> {
  const step = await readStep(steps, keepAccount)
  const account = step?.userId ? await findAccount(steps.db, step.userId) : undefined
  return account?.deletesAt ? { deletesAt: account.deletesAt } : null
}

/** @throws `gone` when it was taken or is too old */
export async function takeLeaving(steps: Steps): Promise<SignIn & { userId: number }> {
  const step = await takeStep(steps, keepAccount)
  if (!step?.userId) throw new AppError('gone', 'This took too long. Please sign in again.')
  return { ...step.data, userId: step.userId }
}
