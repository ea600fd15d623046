import type { RateLimits } from '../http/rate-limits.ts'
import { verifyPassword } from './password.ts'

export type PasswordGuess = {
  username: string
  password: string
  /** Answers the hash on record, or undefined for an unknown name. */
  findHash: () => Promise<string | undefined>
}

/**
 * Checks a password that somebody typed. Failures count for the account at this address and for the
 * address; an unknown name is treated like a known one, in time and in words.
 * @throws AppError `too-many` after 10 failures for the account, or 15 from the address, in 5 minutes
 */
export async function checkPassword(
  { limits, address }: { limits: RateLimits; address: string },
  { username, password, findHash }: PasswordGuess,
): Promise<boolean> {
  const { loginFailuresByAccount, loginFailuresByAddress } = limits
  const endForAccount = await loginFailuresByAccount.begin(`${username.toLowerCase()} ${address}`)
  let counts = false
  try {
    const endForAddress = await loginFailuresByAddress.begin(address)
    try {
      const matches = await verifyPassword(await findHash(), password)
      counts = !matches
      return matches
    } finally {
      endForAddress({ counts })
    }
  } finally {
    endForAccount({ counts })
  }
}
