import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

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

function isOwnOrigin(origin: string, request: FastifyRequest, config: Config): boolean {
  if (origin === config.publicUrl) return true
  return URL.canParse(origin) && new URL(origin).host === request.host
}
