import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { type ActiveSession, findSession, type SessionStore, type Viewer } from './auth/lucia.ts'
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from './auth/session-cookie.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { isFromThisMachine } from './http/client-address.ts'
import type { JobWorker } from './job/job-worker.ts'
import type { MediaStore } from './media/media-store.ts'
import type { LiveFeed } from './notification/live-feed.ts'

/** What the whole server shares; made once in `main.ts`, and by each api test. */
export type AppDeps = {
  config: Config
  db: Database
  sessions: SessionStore
  media: MediaStore
  jobs: JobWorker
  live: LiveFeed
  /** Aborts when the server begins to stop. */
  closing: AbortSignal
}

/** What a procedure knows: the shared parts, who asks, and the session cookie of this answer. */
export type Context = AppDeps & {
  log: FastifyBaseLogger
  viewer: Viewer | undefined
  session: ActiveSession | undefined
  /** True when the request came over loopback and no proxy forwarded it. */
  fromThisMachine: boolean
  sessionCookie: {
    write: (token: string, options: { rememberMe: boolean }) => void
    clear: () => void
  }
}

export type Exchange = { req: FastifyRequest; res: FastifyReply }

/** Reads the session of a request and renews its cookie when it is due. */
export async function createContext(deps: AppDeps, exchange: Exchange): Promise<Context> {
  const { req, res } = exchange
  const token = readSessionCookie(req, deps.config)
  const session = token ? await findSession(deps.sessions, token) : undefined
  if (token && session?.renewed) {
    writeSessionCookie(res, { config: deps.config, token, rememberMe: session.rememberMe })
  }
  return {
    ...deps,
    log: req.log,
    session,
    viewer: session?.viewer,
    fromThisMachine: isFromThisMachine(req),
    sessionCookie: {
      write: (newToken, options) =>
        writeSessionCookie(res, { config: deps.config, token: newToken, ...options }),
      clear: () => clearSessionCookie(res, deps.config),
    },
  }
}
