import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/platform/config.ts'
import { AppError } from '#server/platform/errors.ts'
import { parseAddress } from '#server/platform/request/client-address.ts'

const LOOPBACK = /^127\.|^::1$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i
/** Names of headers by which proxies, tunnels and CDNs say for whom they ask. */
const FORWARDING_HEADER =
  /^(via|cdn-loop)$|forwarded|^(cf|fly)-|^x-(azure|amzn|arr|envoy)-|(^|-)(client|real|remote|user)-?(ip|addr)$/
const BEARER = /^bearer +(\S+) *$/i

/**
 * Lets requests pass that carry `METRICS_TOKEN`; without one set, those that begin at this machine.
 * @throws AppError `not-found` for others where there is no token, `unauthenticated` where there is one
 */
export function requireMetricsAccess(request: FastifyRequest, { metricsToken }: Config): void {
  if (metricsToken === undefined) {
    if (isLocal(request)) return
    throw new AppError('not-found', 'There is nothing at this address.')
  }
  const given = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (timingSafeEqual(digest(given), digest(metricsToken))) return
  throw new AppError('unauthenticated', 'The token for the metrics is missing or wrong.')
}

/**
 * Whether the connection comes from a loopback address and no header tells of anybody behind it. The host proves nothing, as a
 * client chooses it; another one only refuses pages of other sites whose name leads to this machine (DNS rebinding).
 */
function isLocal({ raw, headers, hostname }: FastifyRequest): boolean {
  return (
    LOOPBACK.test(parseAddress(raw.socket.remoteAddress ?? '') ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name)) &&
    LOOPBACK_HOST.test(hostname)
  )
}

/** Of one length, whatever it is of. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
