import { setTimeout as pause } from 'node:timers/promises'
import { decodeBase32IgnorePadding } from '@oslojs/encoding'
import { generateHOTP } from '@oslojs/otp'

const STEP_MS = 30_000

/** Returns the code that an authenticator app shows `steps` time steps (of 30 s) from now. */
export function timeCodeOf(secret: string, steps = 0): string {
  const key = decodeBase32IgnorePadding(secret.replaceAll(' ', ''))
  return generateHOTP(key, BigInt(Math.floor(Date.now() / STEP_MS) + steps), 6)
}

/** No test takes longer with one code. */
const TEST_MS = 2000

/** Waits for the next time step if the current one would end during a test. */
export async function enterStep(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < TEST_MS) await pause(left)
}
