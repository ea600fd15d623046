/**
 * Speaks to providers: OpenID Connect, and Discord's OAuth 2, which has no ID tokens. The libraries are loaded with
 * the first use. See docs/decisions/0078-identity-providers.md.
 */
import type * as Jose from 'jose'
import type * as Client from 'openid-client'
import type { Config } from '#server/platform/config.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { DISCORD } from '#shared/providers.ts'
import type { ProviderRow } from './provider.queries.ts'
import { asEntryFailure, asFailure, failure } from './provider-failure.ts'

export type ProviderDeps = { config: Pick<Config, 'providers'>; outgoing: Outgoing }

/** What a provider says about who signed in. */
export type ProviderAccount = {
  subject: string
  name: string
  username: string
  email: string | null
  emailIsVerified: boolean
  avatar: string | null
  /** The provider's id of its own session. */
  session: string | null
  /** Unix seconds of the last time that it asked for credentials. */
  authTime?: number | undefined
  refreshToken: string | null
  /** Discord: roles in the server; undefined for other providers and for somebody who is not in it. */
  roles?: string[] | undefined
}

export type Expected = { state: string; nonce: string; verifier: string }

const GOOGLE = 'https://accounts.google.com'
const DISCORD_CDN = 'https://cdn.discordapp.com'
const CONFIGURATION_MS = 60 * 60_000
const KEYS_MS = 10 * 60_000
/** Anybody can send logout tokens: unknown keys in them must not cause requests without limit. */
const KEYS_PAUSE_MS = 30_000
const CLOCK_TOLERANCE_SECONDS = 30
const LOGOUT_AGE_SECONDS = 5 * 60
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const NOT_FOUND = [404]
/** Also without the permission, which those did not give who signed in before a server was entered. */
const NOT_FOUND_OR_ALLOWED = [401, 403, 404]
/** Signatures with keys that the provider publishes; never `none`, nor the secret as a key. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

type Known = { fingerprint: string; at: number; configuration: Client.Configuration }
const configurations = new Map<number, Known>()
/** Those who sign in while a provider is slow wait for one request. */
const discoveries = new Map<string, Promise<Client.Configuration>>()
type Keys = { at: number; find: Jose.LocalJWKSet }
const keySets = new Map<string, Keys>()

/** Where the browser goes to sign in, and what its answer must match. */
export async function beginAt(
  deps: ProviderDeps,
  provider: ProviderRow,
  { redirectUri, isAgain }: { redirectUri: string; isAgain: boolean },
): Promise<Expected & { url: string }> {
  const client = await import('openid-client')
  const configuration = await configurationOf(deps, provider).catch((error: unknown) => {
    throw asFailure(error, provider)
  })
  const expected = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const isDiscord = provider.kind === 'discord'
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: scopesOf(provider),
    state: expected.state,
    code_challenge: await client.calculatePKCECodeChallenge(expected.verifier),
    code_challenge_method: 'S256',
    ...(!isDiscord && { nonce: expected.nonce }),
    ...(isAgain && askAgain(provider)),
  })
  return { ...expected, url: url.href }
}

/** Parameters by which a provider asks who is signed in there already. Google refuses `login`. */
export function askAgain({
  kind,
  issuer,
}: Pick<ProviderRow, 'kind' | 'issuer'>): Record<string, string> {
  if (kind === 'discord') return { prompt: 'consent' }
  return issuer === GOOGLE ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' }
}

function scopesOf({ kind, guildId }: ProviderRow): string {
  if (kind === 'oidc') return 'openid profile email'
  return guildId === null ? 'identify email' : 'identify email guilds.members.read'
}

/**
 * Exchanges the code that the browser brought.
 * @param input.url of the request, whose origin and path are those that the visit began with
 * @throws AppError with a sentence, whatever is wrong
 */
export async function endAt(
  deps: ProviderDeps,
  provider: ProviderRow,
  { url, expected }: { url: URL; expected: Expected },
): Promise<ProviderAccount> {
  try {
    const client = await import('openid-client')
    const configuration = await configurationOf(deps, provider)
    const isDiscord = provider.kind === 'discord'
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: expected.state,
      pkceCodeVerifier: expected.verifier,
      ...(!isDiscord && { expectedNonce: expected.nonce }),
    })
    if (isDiscord) return await readDiscord(deps, provider, tokens)
    return await readClaims(deps, { provider, configuration, tokens })
  } catch (error) {
    throw asFailure(error, provider)
  }
}

type Tokens = Awaited<ReturnType<typeof Client.authorizationCodeGrant>>

async function readClaims(
  deps: ProviderDeps,
  input: { provider: ProviderRow; configuration: Client.Configuration; tokens: Tokens },
): Promise<ProviderAccount> {
  const { provider, configuration, tokens } = input
  const claims = tokens.claims()
  if (!claims || tokens.id_token === undefined) throw failure('strange', provider)
  // The library checks the audience, not the signature.
  await verify(deps, { provider, configuration, token: tokens.id_token, isOwn: true })
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  let facts: Record<string, unknown> = claims
  const isShort = !text(claims.email) || !(text(claims.name) || text(claims.preferred_username))
  if (isShort && configuration.serverMetadata().userinfo_endpoint) {
    const client = await import('openid-client')
    const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    facts = { ...more, ...claims }
  }
  const username = text(facts.preferred_username) ?? text(facts.nickname)
  const name = text(facts.name) ?? username
  const email = text(facts.email) ?? null
  return {
    subject: claims.sub,
    name: name ?? email ?? claims.sub,
    username: username ?? email?.split('@')[0] ?? name ?? '',
    email,
    emailIsVerified: facts.email_verified === true,
    avatar: text(facts.picture) ?? null,
    session: text(claims.sid) ?? null,
    authTime: claims.auth_time,
    refreshToken: null,
    roles: undefined,
  }
}

type DiscordUser = {
  id: string
  username: string
  global_name?: string | null
  email?: string | null
  verified?: boolean
  avatar?: string | null
}

async function readDiscord(
  deps: ProviderDeps,
  provider: ProviderRow,
  tokens: { access_token: string; refresh_token?: string },
): Promise<ProviderAccount> {
  const user = (await askDiscord(deps, {
    provider,
    path: '/users/@me',
    token: tokens.access_token,
  })) as DiscordUser | undefined
  if (typeof user?.id !== 'string' || typeof user.username !== 'string') {
    throw failure('strange', provider)
  }
  const cdn = provider.issuer === DISCORD ? DISCORD_CDN : provider.issuer
  return {
    subject: user.id,
    name: user.global_name || user.username,
    username: user.username,
    email: user.email ?? null,
    emailIsVerified: user.verified === true,
    avatar: user.avatar ? `${cdn}/avatars/${user.id}/${user.avatar}.png?size=512` : null,
    session: null,
    authTime: undefined,
    refreshToken: tokens.refresh_token ?? null,
    roles: await findRoles(deps, { provider, token: tokens.access_token }),
  }
}

async function findRoles(
  deps: ProviderDeps,
  input: { provider: ProviderRow; token: string; absent?: readonly number[] },
): Promise<string[] | undefined> {
  const { provider, token, absent } = input
  if (provider.guildId === null) return undefined
  const path = `/users/@me/guilds/${provider.guildId}/member`
  const member = (await askDiscord(deps, { provider, path, token, ...(absent && { absent }) })) as
    | { roles?: unknown }
    | undefined
  if (member === undefined) return undefined
  if (!Array.isArray(member.roles)) throw failure('strange', provider)
  return member.roles.map(String)
}

/** @returns undefined for statuses of `absent` */
async function askDiscord(
  { outgoing }: ProviderDeps,
  input: { provider: ProviderRow; path: string; token: string; absent?: readonly number[] },
): Promise<unknown> {
  const { provider, path, token, absent = NOT_FOUND } = input
  const { status, body } = await outgoing({
    url: `${provider.issuer}/api/v10${path}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    allowedHosts: allowedHosts(provider),
  })
  if (absent.includes(status)) return undefined
  if (status !== 200) throw failure('unreachable', provider)
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw failure('strange', provider)
  }
}

/**
 * Looks at a member's roles without the member.
 * @param input.onRenewed keeps the new refresh token, since Discord takes each once
 * @returns undefined for who left the server, or took back what they allowed
 * @throws AppError when Discord does not answer, which says nothing about the member
 */
export async function lookAgain(
  deps: ProviderDeps,
  provider: ProviderRow,
  input: { refreshToken: string; onRenewed: (refreshToken: string | null) => Promise<void> },
): Promise<string[] | undefined> {
  const { refreshToken, onRenewed } = input
  const client = await import('openid-client')
  try {
    const configuration = await configurationOf(deps, provider)
    const tokens = await client.refreshTokenGrant(configuration, refreshToken)
    await onRenewed(tokens.refresh_token ?? refreshToken)
    const token = tokens.access_token
    return await findRoles(deps, { provider, token, absent: NOT_FOUND_OR_ALLOWED })
  } catch (error) {
    if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') {
      await onRenewed(null)
      return undefined
    }
    throw asFailure(error, provider)
  }
}

/** Reads a picture of a provider, which may be on a host of its own. */
export async function readAvatar(
  { outgoing }: ProviderDeps,
  provider: ProviderRow,
  { address, maxBytes }: { address: string; maxBytes: number },
): Promise<Buffer | undefined> {
  // Members may choose the address: nothing else on the local network is asked for it.
  const isOfProvider = URL.parse(address)?.origin === URL.parse(provider.issuer)?.origin
  const request = {
    url: address,
    maxBytes,
    ...(isOfProvider && { allowedHosts: allowedHosts(provider) }),
  }
  const { status, body } = await outgoing(request)
  return status === 200 ? body : undefined
}

/** @throws AppError with a sentence for the admin who enters the provider */
export async function testProvider(deps: ProviderDeps, provider: ProviderRow): Promise<void> {
  configurations.delete(provider.id)
  try {
    const configuration = await configurationOf(deps, provider)
    if (provider.kind === 'oidc') await readKeys(deps, { provider, configuration })
  } catch (error) {
    throw asEntryFailure(error, provider)
  }
}

/**
 * Reads a logout token.
 * @throws AppError for a token that is not the provider's, not for this site, or no logout token
 */
export async function readLogoutToken(deps: ProviderDeps, provider: ProviderRow, token: string) {
  try {
    const configuration = await configurationOf(deps, provider)
    const claims = await verify(deps, { provider, configuration, token, isOwn: false })
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
async function verify(
  deps: ProviderDeps,
  input: {
    provider: ProviderRow
    configuration: Client.Configuration
    token: string
    /** It came from the provider itself. */
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
  const known = keySets.get(source.configuration.serverMetadata().jwks_uri ?? '')
  return known && Date.now() - known.at < KEYS_MS ? known : readKeys(deps, source)
}

async function readKeys(
  { outgoing }: ProviderDeps,
  { provider, configuration }: KeySource,
): Promise<Keys> {
  const { jwks_uri: url } = configuration.serverMetadata()
  if (url === undefined) throw failure('strange', provider)
  const { createLocalJWKSet } = await import('jose')
  const { status, body } = await outgoing({ url, allowedHosts: allowedHosts(provider) })
  if (status !== 200) throw failure('unreachable', provider)
  const keys = { at: Date.now(), find: createLocalJWKSet(JSON.parse(body.toString('utf8'))) }
  keySets.set(url, keys)
  return keys
}

/** Discovery, remembered for an hour and until the provider is edited. */
async function configurationOf(
  deps: ProviderDeps,
  provider: ProviderRow,
): Promise<Client.Configuration> {
  const secret = secretOf(deps, provider)
  const { kind, issuer, clientId, isLocal } = provider
  const fingerprint = JSON.stringify([kind, issuer, clientId, secret, isLocal])
  const known = configurations.get(provider.id)
  const isFresh = known !== undefined && Date.now() - known.at < CONFIGURATION_MS
  if (isFresh && known.fingerprint === fingerprint) return known.configuration
  const key = `${provider.id} ${fingerprint}`
  const asked =
    discoveries.get(key) ??
    (kind === 'discord'
      ? configureDiscord(deps, provider, secret)
      : discover(deps, provider, secret)
    ).finally(() => discoveries.delete(key))
  discoveries.set(key, asked)
  const configuration = await asked
  configurations.set(provider.id, { fingerprint, at: Date.now(), configuration })
  return configuration
}

/** Of an environment provider, the one of its variables. */
function secretOf({ config }: ProviderDeps, provider: ProviderRow): string {
  const { clientSecret, issuer, clientId } = provider
  if (clientSecret !== null) return clientSecret
  const set = config.providers.find((one) => one.issuer === issuer && one.clientId === clientId)
  if (!set) throw failure('strange', provider)
  return set.clientSecret
}

async function discover(
  deps: ProviderDeps,
  provider: ProviderRow,
  secret: string,
): Promise<Client.Configuration> {
  const client = await import('openid-client')
  const found = await client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    undefined,
    client.None(),
    {
      [client.customFetch]: fetchBy(deps, provider),
      ...(provider.isLocal === 1 && { execute: [client.allowInsecureRequests] }),
    },
  )
  const server = found.serverMetadata()
  // The specification's default is 'basic'; some servers have only the other.
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = ways.includes('client_secret_basic')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret)
  return configure(deps, provider, { client, server, authentication })
}

async function configureDiscord(
  deps: ProviderDeps,
  provider: ProviderRow,
  secret: string,
): Promise<Client.Configuration> {
  const client = await import('openid-client')
  const server = {
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/oauth2/authorize`,
    token_endpoint: `${provider.issuer}/api/oauth2/token`,
  }
  return configure(deps, provider, {
    client,
    server,
    authentication: client.ClientSecretPost(secret),
  })
}

function configure(
  deps: ProviderDeps,
  provider: ProviderRow,
  input: {
    client: typeof Client
    server: Client.ServerMetadata
    authentication: Client.ClientAuth
  },
): Client.Configuration {
  const { client, server, authentication } = input
  const configuration = new client.Configuration(
    server,
    provider.clientId,
    undefined,
    authentication,
  )
  configuration[client.customFetch] = fetchBy(deps, provider)
  if (provider.isLocal === 1) client.allowInsecureRequests(configuration)
  return configuration
}

/** Sends the library's requests through the guard. */
function fetchBy({ outgoing }: ProviderDeps, provider: ProviderRow): Client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outgoing({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      allowedHosts: allowedHosts(provider),
    })
    const type = answer.headers['content-type']
    const challenge = answer.headers['www-authenticate']
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        ...(challenge !== undefined && { 'www-authenticate': challenge }),
      },
    })
  }
}

function allowedHosts({ isLocal, issuer }: ProviderRow): string[] {
  const host = isLocal === 1 ? URL.parse(issuer)?.host : undefined
  return host === undefined ? [] : [host]
}
