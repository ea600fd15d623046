import type { FastifyRequest } from 'fastify'
import type { ApiTokenScope } from '#shared/schemas/api-token.schemas.ts'

/** Who is asking, as far as every request needs to know. */
export type Viewer = { id: number; username: string; displayName: string; isAdmin: boolean }

export type ActiveSession = {
  id: string
  rememberMe: boolean
  viewer: Viewer
  renewed: boolean
  /** When the password was last typed into it for something that asks for it. */
  confirmedAt: string | null
}

/** The API token that a request was sent with. */
export type RequestToken = {
  id: number
  scope: ApiTokenScope
  lastUsedAt: string | null
  /** Never an admin, whoever made the token: what admins do wants a person. */
  viewer: Viewer
}

/** Identifies who sent a request; each is looked up once for a request, however often it is asked for. */
export type Identity = {
  /** The session behind the request's cookie. */
  sessionOf: (request: FastifyRequest) => Promise<ActiveSession | undefined>
  /** The valid API token of the request's `Authorization`. */
  tokenOf: (request: FastifyRequest) => Promise<RequestToken | undefined>
}
