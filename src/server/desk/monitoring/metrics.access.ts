import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/platform/config.ts'
import { AppError } from '#server/platform/errors.ts'

const LOOPBACK = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i
/** Whatever of these a request has, it did not begin at this machine. */
const FORWARDING_HEADERS = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  ...['x-real-ip', 'cf-connecting-ip'],
]
const BEARER = /^bearer +(\S+) *$/i

/**
 * Lets pass who asks with `METRICS_TOKEN`, or at the machine itself.
 * @throws AppError `not-found` for others where there is no token, `unauthenticated` where there is one
 */
export function requireMetricsAccess(request: FastifyRequest, { metricsToken }: Config): void {
  if (isLocal(request)) return
  if (metricsToken === undefined) {
    throw new AppError('not-found', 'There is nothing at this address.')
  }
  const given = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (timingSafeEqual(digest(given), digest(metricsToken))) return
  throw new AppError('unauthenticated', 'The token for the metrics is missing or wrong.')
}

/** A proxy on this machine passes on who asked, or for which host; pages of other sites are at another host too. */
function isLocal({ raw, headers, hostname }: FastifyRequest): boolean {
  return (
    LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(hostname) &&
    FORWARDING_HEADERS.every((name) => headers[name] === undefined)
  )
}

/** Of one length, whatever it is of. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
