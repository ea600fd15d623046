import { AppError } from './errors.ts'
import type { ActiveSession } from './viewer.ts'

/** How long a password that was typed counts in its session. */
const CONFIRMED_MS = 10 * 60_000

/**
 * For what would let a copied session stay, spread or carry everything away: its member has to have typed
 * the password into it in the last ten minutes. Signing in does not count.
 * See docs/decisions/0024-sessions-and-passwords.md.
 * @throws AppError `unconfirmed`
 */
export function requireConfirmed({ confirmedAt }: Pick<ActiveSession, 'confirmedAt'>): void {
  const age = confirmedAt === null ? Number.NaN : Date.now() - Date.parse(confirmedAt)
  // A clock that was set back makes a confirmation no longer than it is.
  if (age >= 0 && age < CONFIRMED_MS) return
  throw new AppError('unconfirmed', 'Please confirm your password first.')
}
