import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

const HOST = /^(?:[a-z\d](?:[a-z\d._-]{0,252}[a-z\d])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** No trailing slash. Only trusted proxies forward hosts; an invalid one becomes `localhost`. */
export function siteOrigin(request: FastifyRequest, config: Config): string {
  if (config.publicUrl) return config.publicUrl
  const address = `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`
  const url = HOST.test(request.host) ? URL.parse(address) : null
  return url?.origin ?? 'http://localhost'
}
