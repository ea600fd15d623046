import { hasCode } from '../error-code.ts'

/** The conditions are those of https://www.postgresql.org/docs/current/errcodes-appendix.html. */

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, '23505')
}

export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, '23503')
}

/** A transaction came into the way of another one, and may succeed when it is tried again. */
export function isSerializationFailure(error: unknown): boolean {
  return hasCode(error, '40001') || hasCode(error, '40P01')
}

/** A statement waited for another transaction as long as `lock_timeout` lets it. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, '55P03')
}

/** Another transaction has tables or rows that are needed, and it may succeed when that has ended. */
export function isHeldUp(error: unknown): boolean {
  return isLockTimeout(error) || hasCode(error, '40P01')
}

/** Another transaction was in the way for too long, or the server takes no further connection. */
export function isBusy(error: unknown): boolean {
  return isSerializationFailure(error) || isLockTimeout(error) || hasCode(error, '53300')
}

/** The user may not read or change a table, or does not own one that is to be altered. */
export function isNotAllowed(error: unknown): boolean {
  return hasCode(error, '42501')
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, '53100')
}

export function isFailedWrite(error: unknown): boolean {
  return hasCode(error, '58030')
}

/** A text has a character that the engine does not store: the one with the number 0. */
export function isUnstorableText(error: unknown): boolean {
  return hasCode(error, '22021') || hasCode(error, '22P05')
}

const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered))/

/** What the system says of a server to which nothing leads, or whose name nobody knows while it is away. */
const UNREACHABLE = ['ECONN', 'EPIPE', 'ETIMEDOUT', 'EHOST', 'ENET', 'ENOTFOUND', 'EAI_AGAIN']

/** The server cannot be reached, is starting, stopping or read-only after a failover, or the connection broke or timed out. */
export function isAway(error: unknown): boolean {
  const codes = ['57P0', '25P03', '25006', '08', ...UNREACHABLE]
  if (codes.some((code) => hasCode(error, code))) return true
  return error instanceof Error && LOST_CONNECTION.test(error.message)
}

/** Pages of the database or of an index are broken. */
export function isDamaged(error: unknown): boolean {
  return hasCode(error, 'XX001') || hasCode(error, 'XX002')
}
