import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { makePng } from './png.ts'

type DiscordUser = {
  id: string
  username: string
  global_name: string | null
  email: string | null
  verified: boolean
  avatar: string | null
}

/** The authorization that a code or token belongs to. */
type Grant = { user: DiscordUser; scopes: string[]; challenge?: string; redirectUri?: string }

export type DiscordServer = Awaited<ReturnType<typeof startDiscordServer>>

/**
 * Starts a server with the documented endpoints of Discord that a sign-in uses: authorization, tokens that can be
 * renewed once each, the user, the member of a server, and avatars.
 */
export async function startDiscordServer() {
  const client = { id: '123456789012345678', secret: 'the secret of the app' }
  /** Roles of each member of each server, by `guild user`. */
  const members = new Map<string, string[]>()
  const codes = new Map<string, Grant>()
  const accessTokens = new Map<string, Grant>()
  const refreshTokens = new Map<string, Grant>()
  let current: DiscordUser | undefined
  let isDown = false
  let isApiDown = false
  let cancels = false

  const send = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  function authorize(url: URL, response: ServerResponse): void {
    const { searchParams: given } = url
    const back = new URL(given.get('redirect_uri') ?? '')
    back.searchParams.set('state', given.get('state') ?? '')
    if (cancels || !current) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The resource owner denied the request')
    } else {
      const code = randomUUID()
      codes.set(code, {
        user: current,
        scopes: (given.get('scope') ?? '').split(' '),
        challenge: given.get('code_challenge') ?? '',
        redirectUri: given.get('redirect_uri') ?? '',
      })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  async function giveTokens(request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await text(request))
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) {
      return send(response, 401, { error: 'invalid_client' })
    }
    const grant = takeGrant(form)
    if (!grant) return send(response, 400, { error: 'invalid_grant' })
    const { user, scopes } = grant
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() }
    accessTokens.set(tokens.access_token, { user, scopes })
    refreshTokens.set(tokens.refresh_token, { user, scopes })
    return send(response, 200, {
      ...tokens,
      ...{ token_type: 'Bearer', expires_in: 604_800, scope: scopes.join(' ') },
    })
  }

  function takeGrant(form: URLSearchParams): Grant | undefined {
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? ''
      const grant = refreshTokens.get(token)
      refreshTokens.delete(token)
      return grant
    }
    const code = form.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri')
    return isRight ? grant : undefined
  }

  function readApi(path: string, request: IncomingMessage, response: ServerResponse) {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const grant = accessTokens.get(token)
    if (!grant) return send(response, 401, { message: '401: Unauthorized', code: 0 })
    const { user, scopes } = grant
    if (path === '/users/@me') {
      const { email, verified, ...shown } = user
      return send(response, 200, scopes.includes('email') ? { ...shown, email, verified } : shown)
    }
    const [, guildId] = /^\/users\/@me\/guilds\/(\d+)\/member$/.exec(path) ?? []
    if (!guildId) return send(response, 404, { message: '404: Not Found', code: 0 })
    if (!scopes.includes('guilds.members.read')) {
      return send(response, 403, { message: 'Missing Access', code: 50_001 })
    }
    const roles = members.get(`${guildId} ${user.id}`)
    if (!roles) return send(response, 404, { message: 'Unknown Guild', code: 10_004 })
    return send(response, 200, { user, nick: null, roles })
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://discord')
    const { pathname } = url
    if (isDown) return send(response, 503, { message: 'Service Unavailable' })
    if (pathname === '/oauth2/authorize') return authorize(url, response)
    if (pathname === '/api/oauth2/token') return giveTokens(request, response)
    if (isApiDown && pathname.startsWith('/api/v10/')) {
      return send(response, 503, { message: 'Service Unavailable' })
    }
    if (pathname.startsWith('/api/v10/')) return readApi(pathname.slice(8), request, response)
    if (pathname.startsWith('/avatars/')) {
      return response.writeHead(200, { 'content-type': 'image/png' }).end(makePng(128, 128))
    }
    return send(response, 404, { message: '404: Not Found', code: 0 })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client,
    signInAs(user: Partial<DiscordUser> & { id: string; username: string }): void {
      cancels = false
      current = { global_name: null, email: null, verified: true, avatar: null, ...user }
    },
    cancel: () => {
      cancels = true
    },
    /** Pass null for somebody who left the server. */
    setMember({ guildId, id }: { guildId: string; id: string }, roles: string[] | null): void {
      if (roles) members.set(`${guildId} ${id}`, roles)
      else members.delete(`${guildId} ${id}`)
    },
    /** Ends all tokens of an account, as its owner can in Discord's settings. */
    revoke(id: string): void {
      for (const tokens of [accessTokens, refreshTokens]) {
        for (const [token, { user }] of tokens) if (user.id === id) tokens.delete(token)
      }
    },
    setDown(down: boolean): void {
      isDown = down
    },
    /** Makes the API fail; tokens are still issued. */
    setApiDown(down: boolean): void {
      isApiDown = down
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

export function setUpDiscordServer(): DiscordServer {
  const server = {} as DiscordServer
  beforeAll(async () => {
    Object.assign(server, await startDiscordServer())
  })
  afterAll(() => server.stop())
  return server
}
