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

/** Another transaction was in the way for too long, or the server takes no further connection. */
export function isBusy(error: unknown): boolean {
  return isSerializationFailure(error) || hasCode(error, '55P03') || hasCode(error, '53300')
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, '53100')
}

export function isFailedWrite(error: unknown): boolean {
  return hasCode(error, '58030')
}

/** Pages of the database or of an index are broken. */
export function isDamaged(error: unknown): boolean {
  return hasCode(error, 'XX001') || hasCode(error, 'XX002')
}
