import type { FieldConflict } from '#shared/field-conflict.ts'
import type { SecondFactorWays } from '#shared/schemas/second-factor.schemas.ts'

/** Mapped in `http/plain-text-error.ts` and `trpc.ts`. */
export type ErrorKind =
  | 'invalid'
  | 'misdirected'
  | 'unauthenticated'
  | 'second-factor'
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

/** The message is for users, without internal details. */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly retryAfterSeconds: number | undefined
  /** Logged instead of the message. */
  readonly reason: string | undefined
  readonly conflicts: FieldConflict[] | undefined
  readonly secondFactor: SecondFactorWays | undefined
  /** A host that the server refuses to connect to, but an admin can list. */
  readonly unlistedHost: string | undefined

  constructor(
    kind: ErrorKind,
    message: string,
    options?: {
      retryAfterSeconds?: number
      reason?: string
      conflicts?: FieldConflict[]
      secondFactor?: SecondFactorWays
      unlistedHost?: string
    },
  ) {
    super(message)
    this.name = 'AppError'
    this.kind = kind
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.reason = options?.reason
    this.conflicts = options?.conflicts
    this.secondFactor = options?.secondFactor
    this.unlistedHost = options?.unlistedHost
  }
}

export function createBusyError(): AppError {
  const message = 'The server is busy. Please try again in a moment.'
  return new AppError('busy', message, { retryAfterSeconds: 1 })
}

/** Shown before the process stops. */
export class ConfigError extends Error {}

export const EXIT_FAILED = 1

/** Shown at the terminal. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT_FAILED) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
