/** OAuth clients of the providers. The library is loaded by the first sign-in with a provider. */
import type * as Client from 'openid-client'
import type { Config } from '#server/platform/config.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { ProviderRow } from './provider.queries.ts'
import { failure } from './provider-failure.ts'

export type ProviderDeps = { config: Pick<Config, 'providers'>; outgoing: Outgoing }

const CONFIGURATION_MS = 60 * 60_000
/** During this time the known failure is reported at once, so that nobody waits for another request to time out. */
export const FAILURE_MS = 30_000

type Known = { fingerprint: string; at: number } & (
  | { configuration: Client.Configuration }
  | { error: unknown }
)
const configurations = new Map<number, Known>()
/** Concurrent sign-ins share one discovery request. */
const discoveries = new Map<string, Promise<Client.Configuration>>()

/** Returns the result of the discovery, which is cached for an hour (30 s for a failure) or until the provider is edited. */
export async function configurationOf(
  deps: ProviderDeps,
  provider: ProviderRow,
): Promise<Client.Configuration> {
  const secret = secretOf(deps, provider)
  const { kind, issuer, clientId } = provider
  const fingerprint = JSON.stringify([kind, issuer, clientId, secret])
  const known = configurations.get(provider.id)
  if (known?.fingerprint === fingerprint) {
    const age = Date.now() - known.at
    if ('error' in known && age < FAILURE_MS) throw known.error
    if ('configuration' in known && age < CONFIGURATION_MS) return known.configuration
  }
  const key = `${provider.id} ${fingerprint}`
  const asked =
    discoveries.get(key) ??
    (kind === 'discord'
      ? configureDiscord(deps, provider, secret)
      : discover(deps, provider, secret)
    ).finally(() => discoveries.delete(key))
  discoveries.set(key, asked)
  const remember = (found: { configuration: Client.Configuration } | { error: unknown }) =>
    configurations.set(provider.id, { fingerprint, at: Date.now(), ...found })
  try {
    const configuration = await asked
    remember({ configuration })
    return configuration
  } catch (error) {
    remember({ error })
    throw error
  }
}

/** The next use reads the provider's metadata again. */
export const forgetConfiguration = (providerId: number) => configurations.delete(providerId)

/** Providers of the environment have no stored secret; theirs is read from the variables. */
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
      [client.customFetch]: fetchBy(deps),
      ...(isInsecure(provider) && { execute: [client.allowInsecureRequests] }),
    },
  )
  const server = found.serverMetadata()
  // The specification's default is `client_secret_basic`; some servers support only `client_secret_post`.
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
  configuration[client.customFetch] = fetchBy(deps)
  if (isInsecure(provider)) client.allowInsecureRequests(configuration)
  return configuration
}

/** The library accepts these issuers. The guard refuses them unless their host is listed. */
const isInsecure = ({ issuer }: ProviderRow) => URL.parse(issuer)?.protocol === 'http:'

/** Sends the library's requests through the guard. */
function fetchBy({ outgoing }: ProviderDeps): Client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outgoing({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
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
