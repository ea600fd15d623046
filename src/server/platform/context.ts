import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from './deps.ts'
import { type Arrival, readArrival } from './request/arrival.ts'
import { clientNetwork } from './request/client-address.ts'
import { logUnknownCookie } from './request/credential-log.ts'
import {
  clearSessionCookie,
  clearStepCookie,
  hasAuthorization,
  readDeviceCookie,
  readSessionCookie,
  readStepCookie,
  writeDeviceCookie,
  writeSessionCookie,
  writeStepCookie,
} from './request/credentials.ts'
import { siteOrigin } from './request/site-origin.ts'
import type { ActiveSession, RequestToken, Viewer } from './viewer.ts'

export type Context = AppDeps & {
  log: FastifyBaseLogger
  viewer: Viewer | undefined
  session: ActiveSession | undefined
  /** The API token of the request. Such a request has no session. */
  token: RequestToken | undefined
  /** An IPv6 address as its /64. */
  address: string
  origin: string
  arrival: () => Arrival
  userAgent: string | null
  sessionCookie: {
    write: (token: string, options: { rememberMe: boolean }) => void
    clear: () => void
  }
  deviceCookie: { read: () => string | undefined; write: (token: string) => void }
  stepCookie: {
    read: () => string | undefined
    write: (token: string) => void
    clear: () => void
  }
}

const USER_AGENT_MAX = 300

type Exchange = { req: FastifyRequest; res: FastifyReply }

/** Renews the session cookie when due. */
export async function createContext(deps: AppDeps, exchange: Exchange): Promise<Context> {
  const { req, res } = exchange
  // API tokens override cookies.
  const isScript = hasAuthorization(req)
  const session = isScript ? undefined : await deps.identity.sessionOf(req)
  const cookie = readSessionCookie(req, deps.config)
  if (cookie && !session && !isScript) void logUnknownCookie(deps, req, cookie)
  if (cookie && session?.renewed) {
    const { rememberMe } = session
    writeSessionCookie(res, { config: deps.config, token: cookie, rememberMe })
  }
  const token = isScript ? await deps.identity.tokenOf(req) : undefined
  return {
    ...deps,
    log: req.log,
    session,
    token,
    viewer: isScript ? token?.viewer : session?.viewer,
    address: clientNetwork(req),
    origin: siteOrigin(req, deps.config),
    arrival: () => readArrival(req, deps.config),
    userAgent: userAgentOf(req),
    sessionCookie: {
      write: (newToken, options) =>
        writeSessionCookie(res, { config: deps.config, token: newToken, ...options }),
      clear: () => clearSessionCookie(res, deps.config),
    },
    deviceCookie: {
      read: () => readDeviceCookie(req, deps.config),
      write: (newToken) => writeDeviceCookie(res, { config: deps.config, token: newToken }),
    },
    stepCookie: {
      read: () => readStepCookie(req, deps.config),
      write: (newToken) => writeStepCookie(res, { config: deps.config, token: newToken }),
      clear: () => clearStepCookie(res, deps.config),
    },
  }
}

export function userAgentOf(request: FastifyRequest): string | null {
  return request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null
}
