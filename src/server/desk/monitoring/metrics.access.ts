import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { parseAddress } from '#server/platform/request/client-address.ts'
import { logWrongToken } from '#server/platform/request/credential-log.ts'

const LOOPBACK = /^127\.|^::1$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i
/** Set by proxies, tunnels and CDNs. */
const FORWARDING_HEADER = new RegExp(
  [
    '^(via|cdn-loop|x-host|x-scheme|x-varnish|x-request-start|front-end-https)$',
    '^(cf|fly|surrogate)-',
    '^x-(azure|amzn|arr|envoy|nf|original|originating|vercel)-',
    'forwarded',
    '(client|connection|real|remote|user)-?(ip|addr)$',
  ].join('|'),
)
const BEARER = /^bearer +(\S+) *$/i

/**
 * Requires `METRICS_TOKEN`, or without one a request of this machine.
 * @throws `not-found` without a configured token, `unauthenticated` with one
 */
export function requireMetricsAccess(
  request: FastifyRequest,
  deps: Pick<AppDeps, 'config' | 'limits'>,
): void {
  const { metricsToken } = deps.config
  if (metricsToken === undefined) {
    if (isLocal(request)) return
    throw new AppError('not-found', 'There is nothing at this address.')
  }
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (timingSafeEqual(digest(token), digest(metricsToken))) return
  void logWrongToken(deps, request, 'metrics')
  throw new AppError('unauthenticated', 'The token for the metrics is missing or wrong.')
}

/** Loopback without forwarding headers; the host is checked against DNS rebinding. */
function isLocal({ raw, headers, hostname }: FastifyRequest): boolean {
  return (
    LOOPBACK.test(parseAddress(raw.socket.remoteAddress ?? '') ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name)) &&
    LOOPBACK_HOST.test(hostname)
  )
}

/** For a constant-time comparison. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
