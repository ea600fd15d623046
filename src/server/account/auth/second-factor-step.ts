/** Steps that a sign-in needs after the first one. See docs/decisions/0079-second-factor.md. */
import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { makeChallenge } from '../passkey/passkey.service.ts'
import { findWays, readFactors } from '../second-factor/second-factor.service.ts'
import { makeSecret } from '../time-code/time-code.service.ts'
import { beginStep, type StepKind } from './sign-in-step.ts'

export const firstStepSchema = z.object({
  rememberMe: z.boolean(),
  method: z.enum(['password', 'provider', 'passkey']),
  /** For `provider`: the provider, and its own id of the session. */
  provider: z.object({ id: z.int(), session: z.string().nullable() }).optional(),
})
export type FirstStep = z.infer<typeof firstStepSchema>

const secondFactorStepSchema = firstStepSchema.extend({ challenge: z.string() })
export const SECOND_FACTOR: StepKind<z.infer<typeof secondFactorStepSchema>> = {
  kind: 'second-factor',
  data: secondFactorStepSchema,
}

const enrolmentSchema = firstStepSchema.extend({ secret: z.string() })
export const ENROLMENT: StepKind<z.infer<typeof enrolmentSchema>> = {
  kind: 'enrol',
  data: enrolmentSchema,
}

/** A passkey that was verified with a PIN, fingerprint or face counts as both steps. */
const COMPLETE = 'passkey'

/** @throws `second-factor` if the member has a second factor, or the site requires one */
export async function requireSecondFactor(
  accounts: Pick<Context, 'db' | 'stepCookie' | 'origin' | 'log' | 'address'>,
  { userId, ...first }: FirstStep & { userId: number },
): Promise<void> {
  if (first.method === COMPLETE) return
  const { db, origin, log, address } = accounts
  const ways = findWays(await readFactors(db, { userId, origin }))
  if (!ways) return
  log.info({ userId, address, enrol: ways.enrol }, 'second factor of a login')
  if (ways.enrol) {
    await beginStep(accounts, ENROLMENT, { userId, data: { ...first, secret: makeSecret() } })
    const sentence = 'This site requires two-step sign-in. Set it up on the sign-in page.'
    throw new AppError('second-factor', sentence, { secondFactor: ways })
  }
  await beginStep(accounts, SECOND_FACTOR, {
    userId,
    data: { ...first, challenge: makeChallenge() },
  })
  const sentence = ways.code
    ? 'Enter the code of your authenticator app.'
    : ways.passkey
      ? 'Confirm with your passkey.'
      : 'Your passkey works only over https. Open the site over https, or enter a recovery code.'
  throw new AppError('second-factor', sentence, { secondFactor: ways })
}
