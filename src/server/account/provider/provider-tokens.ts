/** Checks signed tokens of OpenID providers. See docs/decisions/0078-identity-providers.md. */
import type * as Jose from 'jose'
import type * as Client from 'openid-client'
import type { ProviderRow } from './provider.queries.ts'
import { configurationOf, FAILURE_MS, type ProviderDeps } from './provider-client.ts'
import { asFailure, failure } from './provider-failure.ts'

const KEYS_MS = 10 * 60_000
/**
 * Minimum time between two reads of a provider's keys. Anybody can send logout tokens, and unknown keys in them must
 * not cause unlimited requests.
 */
const KEYS_PAUSE_MS = 30_000
const CLOCK_TOLERANCE_SECONDS = 30
const LOGOUT_AGE_SECONDS = 5 * 60
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Asymmetric algorithms only: neither `none`, nor the client secret as a key. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

type Keys = { at: number; find: Jose.LocalJWKSet }
const keySets = new Map<string, Keys>()
const keyFailures = new Map<string, { at: number; error: unknown }>()

/**
 * Reads a logout token.
 * @throws AppError for a token that is not the provider's, not for this site, or no logout token
 */
export async function readLogoutToken(deps: ProviderDeps, provider: ProviderRow, token: string) {
  try {
    const configuration = await configurationOf(deps, provider)
    const claims = await verifyToken(deps, { provider, configuration, token, isOwn: false })
    const { sub, sid, iat, events, nonce } = claims
    const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
    const age = Date.now() / 1000 - (iat ?? 0)
    const isNow = Math.abs(age) < LOGOUT_AGE_SECONDS
    if (!isLogout || nonce !== undefined || !isNow) throw failure('foreign', provider)
    const session = typeof sid === 'string' ? sid : undefined
    if (session === undefined && sub === undefined) throw failure('foreign', provider)
    return { subject: sub, session, issuedAt: iat ?? 0 }
  } catch (error) {
    throw asFailure(error, provider)
  }
}

/** Checks signature, issuer, audience and times. Changed keys are fetched again. */
export async function verifyToken(
  deps: ProviderDeps,
  input: {
    provider: ProviderRow
    configuration: Client.Configuration
    token: string
    /** True if the token was received directly from the provider. */
    isOwn: boolean
  },
): Promise<Jose.JWTPayload> {
  const { provider, configuration, token, isOwn } = input
  const { jwtVerify, errors } = await import('jose')
  const options = {
    algorithms: ALGORITHMS,
    issuer: configuration.serverMetadata().issuer,
    audience: provider.clientId,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }
  const check = async ({ find }: Keys): Promise<Jose.JWTPayload> => {
    try {
      return (await jwtVerify(token, find, options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      for await (const key of error) {
        const found = await jwtVerify(token, key, options).catch((failed: unknown) => {
          if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed
        })
        if (found) return found.payload
      }
      throw new errors.JWSSignatureVerificationFailed()
    }
  }
  const source = { provider, configuration }
  const keys = await keysOf(deps, source)
  try {
    return await check(keys)
  } catch (error) {
    const isKeyChange =
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWSSignatureVerificationFailed
    const mayAsk = isOwn || Date.now() - keys.at > KEYS_PAUSE_MS
    if (!isKeyChange || !mayAsk) throw error
    return check(await readKeys(deps, source))
  }
}

type KeySource = { provider: ProviderRow; configuration: Client.Configuration }

async function keysOf(deps: ProviderDeps, source: KeySource): Promise<Keys> {
  const url = source.configuration.serverMetadata().jwks_uri ?? ''
  const known = keySets.get(url)
  if (known && Date.now() - known.at < KEYS_MS) return known
  const failed = keyFailures.get(url)
  if (failed && Date.now() - failed.at < FAILURE_MS) throw failed.error
  return readKeys(deps, source)
}

export async function readKeys(deps: ProviderDeps, source: KeySource): Promise<Keys> {
  const { jwks_uri: url } = source.configuration.serverMetadata()
  if (url === undefined) throw failure('strange', source.provider)
  try {
    const keys = await fetchKeys(deps, { ...source, url })
    keyFailures.delete(url)
    return keys
  } catch (error) {
    keyFailures.set(url, { at: Date.now(), error })
    throw error
  }
}

async function fetchKeys(
  { outgoing }: ProviderDeps,
  { provider, url }: KeySource & { url: string },
): Promise<Keys> {
  const { createLocalJWKSet } = await import('jose')
  const { status, body } = await outgoing({ url })
  if (status !== 200) throw failure('unreachable', provider)
  const keys = { at: Date.now(), find: createLocalJWKSet(JSON.parse(body.toString('utf8'))) }
  keySets.set(url, keys)
  return keys
}
