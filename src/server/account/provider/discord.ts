/** Discord's API: the user who signed in, and the user's roles in a server. */
import { DISCORD } from '#shared/providers.ts'
import type { ProviderRow } from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import { configurationOf, type ProviderDeps } from './provider-client.ts'
import { asFailure, failure } from './provider-failure.ts'

const DISCORD_CDN = 'https://cdn.discordapp.com'
const NOT_FOUND = [404]
/** 401 and 403 come from members who signed in before the admin entered a server, and did not grant access to it. */
const NOT_FOUND_OR_ALLOWED = [401, 403, 404]

type DiscordUser = {
  id: string
  username: string
  global_name?: string | null
  email?: string | null
  verified?: boolean
  avatar?: string | null
}

export async function readDiscord(
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

/** @returns undefined for the statuses in `absent` */
async function askDiscord(
  { outgoing }: ProviderDeps,
  input: { provider: ProviderRow; path: string; token: string; absent?: readonly number[] },
): Promise<unknown> {
  const { provider, path, token, absent = NOT_FOUND } = input
  const { status, body } = await outgoing({
    url: `${provider.issuer}/api/v10${path}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
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
 * Reads the current roles of a member who is not signing in.
 * @param input.onRenewed stores the new refresh token, because Discord accepts each one only once
 * @returns undefined for a member who left the server or revoked the access
 * @throws AppError when Discord does not answer, which says nothing about the member
 */
export async function readRolesAgain(
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
