import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'

/** With port, or a bracketed IPv6 address. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/
const LOCAL_NAME = /^[^.]+$|\.(local|localhost|lan|internal|home\.arpa)$/i

/**
 * Instead of Node's check (RFC 9112), which has no text. With `PUBLIC_URL` only that host,
 * addresses and local names (health checks, members at home).
 * @throws `invalid`, `misdirected`
 */
export function requireHost(request: FastifyRequest, { publicUrl, media }: Config): void {
  const { raw, headers, url } = request
  if (headers.host === undefined) {
    if (raw.httpVersion === '1.0') return
    throw new AppError('invalid', 'The request does not say which host it is for.')
  }
  if (countHosts(raw) !== 1 || !HOST.test(headers.host)) {
    throw new AppError('invalid', 'The Host header of the request is not well-formed.')
  }
  if (publicUrl === undefined || isOwnHost(request.hostname, publicUrl)) return
  // Some CDNs send their own.
  if (media.publicUrl && url.startsWith('/cdn/') && isOwnHost(request.hostname, media.publicUrl)) {
    return
  }
  throw new AppError('misdirected', `This site is at ${publicUrl}.`)
}

function isOwnHost(hostname: string, publicUrl: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return (
    name === new URL(publicUrl).hostname.toLowerCase() || isIP(name) !== 0 || LOCAL_NAME.test(name)
  )
}

/** Names and values alternate. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
}
