import { AppError } from './errors.ts'
import type { ActiveSession } from './viewer.ts'

const CONFIRMED_MS = 10 * 60_000

/**
 * Where a stolen session could persist, spread or export data; signing in is not enough. See
 * docs/decisions/0024-sessions-and-passwords.md.
 * @throws `unconfirmed`
 */
export function requireConfirmed({ confirmedAt }: Pick<ActiveSession, 'confirmedAt'>): void {
  const age = confirmedAt === null ? Number.NaN : Date.now() - Date.parse(confirmedAt)
  // The clock may be set back.
  if (age >= 0 && age < CONFIRMED_MS) return
  throw new AppError('unconfirmed', 'Please confirm your password first.')
}
