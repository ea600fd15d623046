import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { parseAddress } from './client-address.ts'
import { siteOrigin } from './site-origin.ts'
import { createProxyCheck } from './trusted-proxies.ts'

export type Arrival = {
  /** Regardless of `PUBLIC_URL`. */
  origin: string
  port: number
  /** `untrusted`: forwarding headers from an untrusted address. */
  proxy: 'none' | 'trusted' | 'untrusted'
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
