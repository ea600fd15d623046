import type { EndAct } from '#server/platform/cluster/outcome-limit.ts'
import type { RateLimits } from '#server/platform/request/rate-limits.ts'
import { verifyPassword } from './password.ts'

type PasswordGuess = {
  username: string
  password: string
  hash: string | undefined
  /** Known browser of the account. */
  device?: string | undefined
}

type Guard = { limits: RateLimits; address: string }

/**
 * Failures count per account and address, and per address, also for unknown names. A known browser
 * has its own count: others at the address cannot lock its owner out.
 * @throws `too-many` after 10 failures for the account, or 15 of the address, in 5 minutes
 */
export async function checkPassword(guard: Guard, guess: PasswordGuess): Promise<boolean> {
  const end = await beginGuess(guard, guess)
  let counts = false
  try {
    const matches = await verifyPassword(guess.hash, guess.password)
    counts = !matches
    return matches
  } finally {
    await end({ counts })
  }
}

async function beginGuess(
  { limits, address }: Guard,
  { username, device }: PasswordGuess,
): Promise<EndAct> {
  const { loginFailuresByAccount, loginFailuresByAddress } = limits
  if (device !== undefined) return loginFailuresByAccount.begin(`device ${device}`)
  const endForAccount = await loginFailuresByAccount.begin(`${username.toLowerCase()} ${address}`)
  try {
    const endForAddress = await loginFailuresByAddress.begin(address)
    return async (outcome) => {
      await Promise.all([endForAddress(outcome), endForAccount(outcome)])
    }
  } catch (error) {
    await endForAccount({ counts: false })
    throw error
  }
}
