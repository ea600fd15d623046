import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { AppDeps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { logRefusal } from '../refusal-log.ts'

const SHOWN_MAX = 200
const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Scripts send neither header and no cookie. Logs both origins: a proxy that replaces Host makes
 * own pages foreign.
 * @throws `forbidden`
 */
export function requireSameOrigin(
  request: FastifyRequest,
  deps: Pick<AppDeps, 'config' | 'identity' | 'limits'>,
): void {
  if (READING.has(request.method)) return
  const { origin } = request.headers
  const { publicUrl } = deps.config
  const isForeign = origin !== undefined && !isOwnOrigin(origin, request, deps.config)
  if (!isForeign && request.headers['sec-fetch-site'] !== 'cross-site') return
  const from = origin?.slice(0, SHOWN_MAX) ?? null
  const reason = isForeign ? 'Origin' : 'Sec-Fetch-Site'
  const facts = { reason, origin: from, host: request.host, publicUrl: publicUrl ?? null }
  void logRefusal(deps, request, { status: 403, facts })
  const sentence = 'This request came from another site.'
  if (!isForeign || !URL.canParse(origin)) throw new AppError('forbidden', sentence)
  throw new AppError(
    'forbidden',
    `${sentence} The page is at ${new URL(origin).host}, the request reached ${publicUrl ?? request.host}: if both are this site, its proxy has to pass on the Host header, or PUBLIC_URL has to be set.`,
  )
}

/** By host, for all names of the site, and protocol where known. */
function isOwnOrigin(origin: string, request: FastifyRequest, { publicUrl }: Config): boolean {
  if (origin === publicUrl) return true
  if (!URL.canParse(origin)) return false
  const { host, origin: wellFormed } = new URL(origin)
  const isOther = wellFormed !== origin || (publicUrl && host === new URL(publicUrl).host)
  return !isOther && host === request.host
}
