import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'

/** What may stand in a host and port, or in the brackets around an IPv6 address. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/
/** Names that no public name server answers for. */
const LOCAL_NAME = /^[^.]+$|\.(local|localhost|lan|internal|home\.arpa)$/i

/**
 * Refuses a request that does not say which host it is for, or says so twice or in no host's letters, as
 * RFC 9112 wants it; Node's own refusal, which is switched off, says nothing. Where `PUBLIC_URL` says which host the
 * site is, any other is refused, but for addresses and names of the local network: health checks and members at
 * home use them, and nobody elsewhere can have them.
 * @throws AppError `invalid`, `misdirected`
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
  // Some CDNs ask the site by their own name.
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

/** Names and values take turns. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
}
