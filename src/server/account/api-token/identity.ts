import type { AppDeps } from '#server/platform/deps.ts'
import type { Identity } from '#server/platform/viewer.ts'
import { sessionOf } from '../auth/request-session.ts'
import { tokenOf } from './request-token.ts'

/** Who sends requests, by their sessions and API tokens. */
export function createIdentity(deps: Pick<AppDeps, 'config' | 'db' | 'sessions'>): Identity {
  return {
    sessionOf: (request) => sessionOf(request, deps),
    tokenOf: (request) => tokenOf(request, deps),
  }
}
