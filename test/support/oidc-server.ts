/**
 * An OpenID provider in a process of its own, see `oidc-provider.ts`. It signs in every visitor at once, with the
 * account that the test names.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type CryptoKey,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import Provider from 'oidc-provider'
import type { OidcOrder, OidcStart } from './oidc-provider.ts'

const { port, origin, clientId, clientSecret } = JSON.parse(process.argv[2] ?? '') as OidcStart
const issuer = `http://127.0.0.1:${port}`
/** Row ids are not known in advance, and differ between the databases. */
const CALLBACKS = Array.from({ length: 99 }, (_, index) => callback(index + 1))

const accounts = new Map<string, Record<string, unknown>>()
let current = ''
let cancels = false
let changes: Extract<OidcOrder, { kind: 'change-tokens' }>['change'] | undefined
let keys = await makeKeys()
let provider = makeProvider()

function callback(id: number): string {
  return `${origin}/api/auth/provider/${id}/callback`
}

async function makeKeys(): Promise<{ privateKey: CryptoKey; kid: string }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { privateKey, kid: crypto.randomUUID() }
}

function makeProvider() {
  return (async () => {
    const jwk = { ...(await exportJWK(keys.privateKey)), kid: keys.kid, alg: 'RS256', use: 'sig' }
    return new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: CALLBACKS,
          backchannel_logout_uri: `${origin}/api/auth/provider/1/logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key for the cookies'] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username', 'picture'],
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...accounts.get(id) }),
      }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
  })()
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { interactionDetails, interactionFinished } = await provider.then((found) => ({
    interactionDetails: found.interactionDetails.bind(found),
    interactionFinished: found.interactionFinished.bind(found),
  }))
  if (request.url?.startsWith('/interaction/')) {
    await interactionDetails(request, response)
    const result = cancels
      ? { error: 'access_denied', error_description: 'The user cancelled.' }
      : { login: { accountId: current } }
    await interactionFinished(request, response, result)
    return
  }
  if (request.url === '/token' && changes) changeAnswer(response, changes)
  ;(await provider).callback()(request, response)
}

/** Replaces the ID token of the answer. */
function changeAnswer(response: ServerResponse, change: NonNullable<typeof changes>): void {
  const end = response.end.bind(response)
  response.end = ((body: unknown, ...rest: never[]) => {
    void (async () => {
      const answered = JSON.parse(String(body)) as { id_token?: string }
      if (answered.id_token) answered.id_token = await rewrite(answered.id_token, change)
      const text = JSON.stringify(answered)
      response.setHeader('content-length', Buffer.byteLength(text))
      end(text, ...rest)
    })()
    return response
  }) as typeof response.end
}

async function rewrite(token: string, change: NonNullable<typeof changes>): Promise<string> {
  const claims = { ...decodeJwt(token), ...change.claims }
  if (change.algorithm === 'none') return new UnsecuredJWT(claims).encode()
  if (change.algorithm === 'HS256') {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(clientSecret))
  }
  const key = change.algorithm === 'foreign' ? (await makeKeys()).privateKey : keys.privateKey
  return sign(claims, key)
}

const sign = (claims: JWTPayload, key: CryptoKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keys.kid }).sign(key)

async function obey(order: OidcOrder): Promise<unknown> {
  switch (order.kind) {
    case 'sign-in-as':
      accounts.set(order.subject, order.claims)
      current = order.subject
      cancels = false
      return
    case 'cancel':
      cancels = true
      return
    case 'change-tokens':
      changes = order.change
      return
    case 'change-keys':
      keys = await makeKeys()
      provider = makeProvider()
      await provider
      return
    case 'sign':
      return sign({ iss: issuer, aud: clientId, ...order.claims }, keys.privateKey)
  }
}

process.on('message', async ({ id, order }: { id: number; order: OidcOrder }) => {
  process.send?.({ id, result: await obey(order) })
})
process.on('disconnect', () => process.exit(0))

createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.statusCode = 500
    response.end(String(error))
  })
}).listen(port, '127.0.0.1', () => process.send?.({ id: 0, result: issuer }))
