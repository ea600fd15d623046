import { AppError } from '#server/platform/errors.ts'
import { OutgoingError } from '#server/platform/outgoing/outgoing.ts'

type Named = { name: string }

type Reason =
  | 'cancelled'
  | 'unreachable'
  | 'refused'
  | 'secret'
  | 'clock'
  | 'expired'
  | 'foreign'
  | 'strange'

const SENTENCES: Record<Reason, (name: string) => string> = {
  cancelled: (name) => `You cancelled signing in with ${name}.`,
  unreachable: (name) => `${name} cannot be reached at the moment. Please try again later.`,
  refused: (name) => `${name} did not sign you in. Please try again.`,
  secret: (name) =>
    `${name} does not accept this site: its client ID or secret is wrong. Tell an admin.`,
  clock: (name) => `The clocks of this site and of ${name} differ. Tell an admin.`,
  expired: () => 'This sign-in has expired or was completed before. Please start again.',
  foreign: (name) => `The answer of ${name} does not belong to this sign-in. Please start again.`,
  strange: (name) => `${name} gave an answer that this site does not understand. Tell an admin.`,
}

export function failure(reason: Reason, { name }: Named, cause?: unknown): AppError {
  const kind = reason === 'unreachable' ? 'busy' : 'unprocessable'
  const detail = cause instanceof Error ? describe(cause) : undefined
  const error = new AppError(kind, SENTENCES[reason](name), {
    reason: `${reason}${detail ? `: ${detail}` : ''}`,
  })
  return error
}

/**
 * Converts an error of the libraries, the guard or a provider into one with a sentence for the person who signs in.
 */
export function asFailure(error: unknown, provider: Named): AppError {
  return error instanceof AppError ? error : failure(reasonOf(error), provider, error)
}

/** Converts an error into one with a sentence for the admin who adds a provider. */
export function asEntryFailure(error: unknown, provider: Named & { issuer: string }): AppError {
  if (error instanceof AppError) return error
  const refused = (sentence: string, unlistedHost?: string) =>
    new AppError('unprocessable', sentence, {
      reason: describe(error as Error),
      ...(unlistedHost && { unlistedHost }),
    })
  const blocked = findOutgoingError(error)
  if (blocked) {
    return refused(`The provider cannot be used: ${blocked.message}`, blocked.unlistedHost)
  }
  const { code, cause } = error as Shape
  switch (code) {
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_PARSE_ERROR': {
      const address = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
      return refused(`No OpenID configuration was found at ${address}.`)
    }
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED': {
      const { body } = (cause ?? {}) as { body?: { issuer?: unknown } }
      return refused(`The provider calls itself ${String(body?.issuer)}. Enter this address.`)
    }
    default:
      return asFailure(error, provider)
  }
}

function findOutgoingError(error: unknown): OutgoingError | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof OutgoingError ? error : findOutgoingError(error.cause)
}

/**
 * Error codes of the libraries. Their error classes are not used, because importing them would load the libraries.
 */
const BY_CODE: Record<string, Reason> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  ERR_JWT_EXPIRED: 'clock',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'foreign',
  OAUTH_INVALID_RESPONSE: 'foreign',
  OAUTH_MISSING_REQUIRED_CLAIM: 'foreign',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'foreign',
  ERR_JWKS_NO_MATCHING_KEY: 'foreign',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'foreign',
  ERR_JOSE_ALG_NOT_ALLOWED: 'foreign',
  ERR_JWS_INVALID: 'foreign',
  ERR_JWT_INVALID: 'foreign',
  OAUTH_UNSUPPORTED_OPERATION: 'foreign',
  OAUTH_TIMEOUT: 'unreachable',
}

/** Error codes of OAuth 2 and OpenID Connect that a provider returns. */
const BY_ERROR: Record<string, Reason> = {
  access_denied: 'cancelled',
  invalid_client: 'secret',
  unauthorized_client: 'secret',
  invalid_grant: 'expired',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
  login_required: 'refused',
  interaction_required: 'refused',
  consent_required: 'refused',
}

type Shape = { code?: unknown; error?: unknown; status?: unknown; cause?: unknown }

function reasonOf(error: unknown): Reason {
  if (error instanceof OutgoingError) return 'unreachable'
  if (!(error instanceof Error)) return 'strange'
  const { code, error: named, status, cause } = error as Error & Shape
  const byError = typeof named === 'string' ? BY_ERROR[named] : undefined
  if (byError) return byError
  if (status === 401) return 'secret'
  if (typeof status === 'number' && status >= 500) return 'unreachable'
  if (cause instanceof Response && cause.status >= 500) return 'unreachable'
  const byCode = typeof code === 'string' ? BY_CODE[code] : undefined
  if (byCode) return byCode
  return cause instanceof Error ? reasonOf(cause) : 'strange'
}

/** Returns the text for the log, which contains no tokens or claims. */
function describe(error: Error): string {
  const { code, error: named } = error as Error & Shape
  const parts = [code, named].filter((part) => typeof part === 'string')
  const cause = error.cause instanceof Error ? `, ${describe(error.cause)}` : ''
  return `${[error.message, ...parts].join(' ')}${cause}`
}
