import type { FieldConflict } from '#shared/field-conflict.ts'

/** What went wrong, in words that neither HTTP nor tRPC owns; `http/plain-text-error.ts` and `trpc.ts` map it. */
export type ErrorKind =
  | 'invalid'
  | 'misdirected'
  | 'unauthenticated'
  | 'forbidden'
  | 'unconfirmed'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported'
  | 'unprocessable'
  | 'too-many'
  | 'busy'
  | 'no-space'

/**
 * The one error that services throw on purpose.
 * Its message is a sentence for the person who made the request, never an internal detail.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly retryAfterSeconds: number | undefined
  /** What the log says instead of the message. */
  readonly reason: string | undefined
  /** The fields that somebody else changed, of an edit that is refused for them. */
  readonly conflicts: FieldConflict[] | undefined

  constructor(
    kind: ErrorKind,
    message: string,
    options?: { retryAfterSeconds?: number; reason?: string; conflicts?: FieldConflict[] },
  ) {
    super(message)
    this.name = 'AppError'
    this.kind = kind
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.reason = options?.reason
    this.conflicts = options?.conflicts
  }
}

/** The database is away, or something else was in the way for too long. */
export function createBusyError(): AppError {
  const message = 'The server is busy. Please try again in a moment.'
  return new AppError('busy', message, { retryAfterSeconds: 1 })
}

/** A setting that cannot be used; the message is the one sentence to show before stopping. */
export class ConfigError extends Error {}

export const EXIT_FAILED = 1

/** Why a command cannot do its work; the message is what the person at the terminal reads. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT_FAILED) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
