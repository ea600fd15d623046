import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { parseAddress } from './client-address.ts'
import { siteOrigin } from './site-origin.ts'
import { createProxyCheck } from './trusted-proxies.ts'

/** How a request came to the server. */
export type Arrival = {
  /** The site's address as this request has it, whatever `PUBLIC_URL` says. */
  origin: string
  /** Where the server listens. */
  port: number
  /** Whether something stood between, as its headers say, and whether they count. */
  proxy: 'none' | 'trusted' | 'untrusted'
  /** The address of whoever holds the connection. */
  peer: string
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

export function readArrival(request: FastifyRequest, config: Config): Arrival {
  const { remoteAddress = '', localPort = config.port } = request.socket
  const peer = parseAddress(remoteAddress) ?? ''
  const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined)
  const isTrusted = createProxyCheck(config.trustedProxies)(peer)
  return {
    origin: siteOrigin(request, { ...config, publicUrl: undefined }),
    port: localPort,
    proxy: isForwarded ? (isTrusted ? 'trusted' : 'untrusted') : 'none',
    peer,
  }
}
