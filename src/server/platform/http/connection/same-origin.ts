import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a state-changing request that a browser sends for another site. Scripts send neither
 * header and pass: they carry no cookie they were not given.
 * @throws AppError `forbidden`
 */
export function requireSameOrigin(request: FastifyRequest, config: Config): void {
  if (READING.has(request.method)) return
  const { origin } = request.headers
  const foreignOrigin = origin !== undefined && !isOwnOrigin(origin, request, config)
  if (foreignOrigin || request.headers['sec-fetch-site'] === 'cross-site') {
    throw new AppError('forbidden', 'This request came from another site.')
  }
}

/** The host counts, so that the site works under all its names; the protocol too where it is known. */
function isOwnOrigin(origin: string, request: FastifyRequest, { publicUrl }: Config): boolean {
  if (origin === publicUrl) return true
  if (!URL.canParse(origin)) return false
  const { host, origin: wellFormed } = new URL(origin)
  const isOther = wellFormed !== origin || (publicUrl && host === new URL(publicUrl).host)
  return !isOther && host === request.host
}
