import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { hasAuthorization, tokenOf } from './api-token/request-token.ts'
import type { ActiveSession, SessionStore, Viewer } from './auth/lucia.ts'
import { sessionOf } from './auth/request-session.ts'
import {
  clearSessionCookie,
  readDeviceCookie,
  readSessionCookie,
  writeDeviceCookie,
  writeSessionCookie,
} from './auth/session-cookie.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { LiveFeed } from './events/live-feed.ts'
import { householdOf } from './http/client-address.ts'
import type { RateLimits } from './http/rate-limits.ts'
import { siteOrigin } from './http/site-origin.ts'
import type { JobWorker } from './job/job-worker.ts'
import type { MediaStore } from './media/media-store.ts'
import type { Searcher } from './search/searcher.ts'
import type { Viewers } from './view/viewers.ts'

/** What the whole server shares; made once in `main.ts`, and by each api test. */
export type AppDeps = {
  config: Config
  db: Database
  sessions: SessionStore
  media: MediaStore
  jobs: JobWorker
  live: LiveFeed
  searcher: Searcher
  limits: RateLimits
  viewers: Viewers
  /** Aborts when the server begins to stop. */
  closing: AbortSignal
  /** Aborts when a stopping server has no more time for what somebody waits for. */
  deadline: AbortSignal
}

/** What a procedure knows: the shared parts, who asks, and the session cookie of this answer. */
export type Context = AppDeps & {
  log: FastifyBaseLogger
  viewer: Viewer | undefined
  session: ActiveSession | undefined
  /** Where the request comes from: an IPv4 address, or a network (/64) of IPv6. */
  address: string
  /** The site's outside address, as far as this request tells. */
  origin: string
  userAgent: string | null
  sessionCookie: {
    write: (token: string, options: { rememberMe: boolean }) => void
    clear: () => void
  }
  deviceCookie: { read: () => string | undefined; write: (token: string) => void }
}

const USER_AGENT_MAX = 300

export type Exchange = { req: FastifyRequest; res: FastifyReply }

/** Reads the session of a request and renews its cookie when it is due. */
export async function createContext(deps: AppDeps, exchange: Exchange): Promise<Context> {
  const { req, res } = exchange
  // A script with an API token has no session, whatever cookies come along.
  const isScript = hasAuthorization(req)
  const session = isScript ? undefined : await sessionOf(req, deps)
  const token = readSessionCookie(req, deps.config)
  if (token && session?.renewed) {
    writeSessionCookie(res, { config: deps.config, token, rememberMe: session.rememberMe })
  }
  return {
    ...deps,
    log: req.log,
    session,
    viewer: isScript ? (await tokenOf(req, deps))?.viewer : session?.viewer,
    address: householdOf(req.ip),
    origin: siteOrigin(req, deps.config),
    userAgent: req.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    sessionCookie: {
      write: (newToken, options) =>
        writeSessionCookie(res, { config: deps.config, token: newToken, ...options }),
      clear: () => clearSessionCookie(res, deps.config),
    },
    deviceCookie: {
      read: () => readDeviceCookie(req, deps.config),
      write: (newToken) => writeDeviceCookie(res, { config: deps.config, token: newToken }),
    },
  }
}
