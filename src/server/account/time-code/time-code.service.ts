/** Codes of authenticator apps (RFC 6238 with SHA-1, six digits and 30 s). */
import { randomBytes } from 'node:crypto'
import { decodeBase32IgnorePadding, encodeBase32UpperCaseNoPadding } from '@oslojs/encoding'
import type { Database } from '#server/platform/db/database.ts'
import type { TimeCodeSetup } from '#shared/schemas/second-factor.schemas.ts'
import { inGroups } from './in-groups.ts'
import { findTimeCode, updateLastStep } from './time-code.queries.ts'

const SECRET_BYTES = 20
const STEP_SECONDS = 30
const DIGITS = 6
/** Allows for different clocks and for the time to type a code. */
const STEPS_TOLERATED = 1

// Loaded when a member first uses time codes.
const loadLibrary = () => import('@oslojs/otp')

/** In base 32, which authenticator apps accept. */
export const makeSecret = () => encodeBase32UpperCaseNoPadding(randomBytes(SECRET_BYTES))

export async function describeSecret(
  secret: string,
  { issuer, username }: { issuer: string; username: string },
): Promise<TimeCodeSetup> {
  const { createTOTPKeyURI } = await loadLibrary()
  const key = decodeBase32IgnorePadding(secret)
  const uri = createTOTPKeyURI(issuer, username, key, STEP_SECONDS, DIGITS)
  return { secret: inGroups(secret, ' '), uri }
}

/** Returns the time step that a code belongs to, or undefined for a wrong code. */
export async function findStepOfCode(secret: string, code: string): Promise<number | undefined> {
  const { verifyHOTP } = await loadLibrary()
  const key = decodeBase32IgnorePadding(secret)
  const now = Math.floor(Date.now() / 1000 / STEP_SECONDS)
  let found: number | undefined
  for (let step = now - STEPS_TOLERATED; step <= now + STEPS_TOLERATED; step++) {
    if (verifyHOTP(key, BigInt(step), DIGITS, code)) found ??= step
  }
  return found
}

/** Each code works once. */
export async function spendTimeCode(
  db: Database,
  { userId, code }: { userId: number; code: string },
): Promise<'right' | 'used' | 'wrong'> {
  const stored = await findTimeCode(db, userId)
  const step = stored && (await findStepOfCode(stored.secret, code))
  if (step === undefined) return 'wrong'
  return (await updateLastStep(db, { userId, step })) ? 'right' : 'used'
}
