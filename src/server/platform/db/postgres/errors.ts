import { hasCode } from '../error-code.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, '23505')
}

export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, '23503')
}

export function isSerializationFailure(error: unknown): boolean {
  return hasCode(error, '40001') || hasCode(error, '40P01')
}

export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, '55P03')
}

export function isHeldUp(error: unknown): boolean {
  return isLockTimeout(error) || hasCode(error, '40P01')
}

/** Also when the server accepts no more connections. */
export function isBusy(error: unknown): boolean {
  return isSerializationFailure(error) || isLockTimeout(error) || hasCode(error, '53300')
}

export function isNotAllowed(error: unknown): boolean {
  return hasCode(error, '42501')
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, '53100')
}

export function isFailedWrite(error: unknown): boolean {
  return hasCode(error, '58030')
}

/** The character U+0000. */
export function isUnstorableText(error: unknown): boolean {
  return hasCode(error, '22021') || hasCode(error, '22P05')
}

const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered))/

/** Also for names that do not resolve. */
const UNREACHABLE = ['ECONN', 'EPIPE', 'ETIMEDOUT', 'EHOST', 'ENET', 'ENOTFOUND', 'EAI_AGAIN']

/** Unreachable, starting, stopping or read-only; or a broken or timed out connection. */
export function isAway(error: unknown): boolean {
  const codes = ['57P0', '25P03', '25006', '08', ...UNREACHABLE]
  if (codes.some((code) => hasCode(error, code))) return true
  return error instanceof Error && LOST_CONNECTION.test(error.message)
}

export function isDamaged(error: unknown): boolean {
  return hasCode(error, 'XX001') || hasCode(error, 'XX002')
}
