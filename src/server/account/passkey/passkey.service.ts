/** WebAuthn. Challenges are stored by `auth/sign-in-step.ts`. See docs/decisions/0079-second-factor.md. */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Database } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import { PASSKEYS_MAX } from '#shared/limits.ts'
import {
  type Assertion,
  type Attestation,
  type CreationOptions,
  isTransport,
  type RequestOptions,
  type Transports,
} from '#shared/schemas/second-factor.schemas.ts'
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  type NewPasskey,
  updateUse,
} from './passkey.queries.ts'

// Loaded when the first passkey is used.
const loadLibrary = () => import('@simplewebauthn/server')

/** ES256, EdDSA and RS256. Every authenticator supports at least one of them. */
const ALGORITHMS = [-7, -8, -257]
const CHALLENGE_BYTES = 32
const USER_HANDLE_BYTES = 32
const TIMEOUT_MS = 5 * 60_000

/** @returns the host that passkeys are bound to, or undefined where browsers allow no passkeys */
export function passkeyHost(origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isLocal) return hostname
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return protocol === 'https:' && !isAddress ? hostname : undefined
}

/** @throws `conflict` */
function requireHost(origin: string): string {
  const host = passkeyHost(origin)
  if (host !== undefined) return host
  throw new AppError('conflict', 'Passkeys need https and a name instead of an IP address.')
}

export const makeChallenge = () => randomBytes(CHALLENGE_BYTES).toString('base64url')

/** @param input.userId the member whose passkeys are accepted; null accepts any passkey of the site */
export async function describeRequest(
  db: Database,
  input: { origin: string; challenge: string; userId: number | null },
): Promise<RequestOptions> {
  const { origin, challenge, userId } = input
  const passkeys = userId === null ? [] : await listPasskeys(db, userId)
  return {
    challenge,
    rpId: requireHost(origin),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(toDescriptor),
  }
}

/** @throws `conflict` with too many passkeys, or without https */
export async function describeCreation(
  db: Database,
  input: {
    origin: string
    challenge: string
    siteName: string
    user: { id: number; username: string; displayName: string }
  },
): Promise<CreationOptions> {
  const { origin, challenge, siteName, user } = input
  const host = requireHost(origin)
  const passkeys = await listPasskeys(db, user.id)
  requireFewer(passkeys)
  return {
    challenge,
    rp: { id: host, name: siteName },
    user: {
      id: passkeys[0]?.userHandle ?? randomBytes(USER_HANDLE_BYTES).toString('base64url'),
      name: user.username,
      displayName: user.displayName,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    excludeCredentials: passkeys.map(toDescriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

function requireFewer({ length }: readonly unknown[]): void {
  if (length < PASSKEYS_MAX) return
  throw new AppError('conflict', `An account has at most ${PASSKEYS_MAX} passkeys.`)
}

type Expected = { origin: string; challenge: string }

/** @throws `invalid` for a wrong answer */
export async function verifyNewPasskey(
  input: Expected & { attestation: Attestation },
): Promise<Omit<NewPasskey, 'userId' | 'userHandle' | 'name'>> {
  const { origin, challenge, attestation } = input
  requireOrigin(attestation, origin)
  const { verifyRegistrationResponse } = await loadLibrary()
  const { transports, ...response } = attestation.response
  const verified = await verifyRegistrationResponse({
    response: { ...attestation, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: requireHost(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!verified?.verified) throw new AppError('invalid', NOT_ACCEPTED)
  const { credential, credentialBackedUp } = verified.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(transports.filter(isTransport)),
    isBackedUp: credentialBackedUp ? 1 : 0,
  }
}

/** @throws `conflict` for a passkey that is already stored, and for too many, because several can be begun at once */
export async function storePasskey(db: Database, passkey: NewPasskey): Promise<void> {
  requireFewer(await listPasskeys(db, passkey.userId))
  try {
    await insertPasskey(db, passkey)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('conflict', 'This passkey is known already.')
  }
}

const NOT_ACCEPTED = 'This passkey was not accepted. Please try again.'

/**
 * Checks the answer to a challenge. It must include user verification by PIN, fingerprint or face.
 * @param input.userId the member who must own the passkey, if known
 * @throws `unauthenticated`
 */
export async function verifyPasskey(
  db: Database,
  input: Expected & { assertion: Assertion; userId?: number },
): Promise<{ userId: number; name: string }> {
  const { origin, challenge, assertion, userId } = input
  requireOrigin(assertion, origin)
  const passkey = await findPasskey(db, assertion.id)
  const { userHandle, ...answer } = assertion.response
  const isOwn = userId === undefined ? Boolean(userHandle) : passkey?.userId === userId
  const isNamed = !userHandle || userHandle === passkey?.userHandle
  if (!passkey || !isOwn || !isNamed) {
    const sentence = 'This passkey does not belong to the account. It may have been removed.'
    throw new AppError('unauthenticated', sentence)
  }
  const { verifyAuthenticationResponse } = await loadLibrary()
  // The counter is checked below, where a failure has a sentence of its own.
  const credential = { id: passkey.credentialId, counter: 0 }
  const verified = await verifyAuthenticationResponse({
    response: { ...assertion, response: answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: requireHost(origin),
    requireUserVerification: true,
    credential: { ...credential, publicKey: Buffer.from(passkey.publicKey, 'base64url') },
  }).catch(() => undefined)
  if (!verified?.verified) throw new AppError('unauthenticated', NOT_ACCEPTED)
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  const use = {
    id: passkey.id,
    counter: newCounter,
    isBackedUp: credentialBackedUp ? 1 : 0,
  } as const
  if (!(await updateUse(db, use))) {
    throw new AppError(
      'unauthenticated',
      'This passkey may have been copied: its counter went back. Sign in another way and replace it.',
    )
  }
  return { userId: passkey.userId, name: passkey.name }
}

/** Names the right address to members who opened the site at another of its addresses. */
function requireOrigin({ response }: Assertion | Attestation, origin: string): void {
  const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
  if (originOf(text) === origin) return
  throw new AppError('unauthenticated', `Passkeys of this site work at ${origin} only.`)
}

function originOf(clientData: string): unknown {
  try {
    return (JSON.parse(clientData) as { origin?: unknown } | null)?.origin
  } catch {
    return undefined
  }
}

function toDescriptor(row: { credentialId: string; transports: string }) {
  const id = row.credentialId
  return { id, type: 'public-key' as const, transports: parseTransports(row.transports) }
}

/** The row may come from a forged backup. */
function parseTransports(text: string): Transports {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names.filter(isTransport) : []
  } catch {
    return []
  }
}
