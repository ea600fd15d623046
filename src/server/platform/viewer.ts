import type { FastifyRequest } from 'fastify'
import type { ApiTokenScope } from '#shared/schemas/api-token.schemas.ts'

export type Viewer = { id: number; username: string; displayName: string; isAdmin: boolean }

export type ActiveSession = {
  id: string
  rememberMe: boolean
  viewer: Viewer
  renewed: boolean
  confirmedAt: string | null
  /** The request came with a token that was just replaced. */
  isReplaced: boolean
  lastUsedAt: string | null
}

export type RequestToken = {
  id: number
  scope: ApiTokenScope
  /** Never an admin: admin acts require a person. */
  viewer: Viewer
}

/** Lookups are cached per request. */
export type Identity = {
  sessionOf: (request: FastifyRequest) => Promise<ActiveSession | undefined>
  tokenOf: (request: FastifyRequest) => Promise<RequestToken | undefined>
}
