/**
 * Begins and completes a visit to a provider, by OpenID Connect or by Discord's OAuth 2, which has no ID tokens. See
 * docs/decisions/0078-identity-providers.md.
 */
import type * as Client from 'openid-client'
import { readDiscord } from './discord.ts'
import type { ProviderRow } from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import { configurationOf, forgetConfiguration, type ProviderDeps } from './provider-client.ts'
import { asEntryFailure, asFailure, failure } from './provider-failure.ts'
import { readKeys, verifyToken } from './provider-tokens.ts'

const GOOGLE = 'https://accounts.google.com'

export type Expected = { state: string; nonce: string; verifier: string }

/** Returns the address at which the browser signs in, and the values that the answer must match. */
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

/**
 * Parameters that make a provider ask again, although the person is signed in there. Google refuses `prompt=login`.
 */
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
 * @param input.url address of the request, with the origin and path that the visit began with
 * @throws AppError with a sentence for every failure
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
  await verifyToken(deps, { provider, configuration, token: tokens.id_token, isOwn: true })
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

/** Downloads an avatar, which may be on another host than the provider. */
export async function readAvatar(
  { outgoing }: ProviderDeps,
  provider: ProviderRow,
  { address, maxBytes }: { address: string; maxBytes: number },
): Promise<Buffer | undefined> {
  // Members may choose this address, so on the local network only the provider itself is asked.
  const isPublicOnly = URL.parse(address)?.origin !== URL.parse(provider.issuer)?.origin
  const { status, body } = await outgoing({ url: address, maxBytes, isPublicOnly })
  return status === 200 ? body : undefined
}

/** @throws AppError with a sentence for the admin who enters the provider */
export async function testProvider(deps: ProviderDeps, provider: ProviderRow): Promise<void> {
  forgetConfiguration(provider.id)
  try {
    const configuration = await configurationOf(deps, provider)
    if (provider.kind === 'oidc') await readKeys(deps, { provider, configuration })
  } catch (error) {
    throw asEntryFailure(error, provider)
  }
}
