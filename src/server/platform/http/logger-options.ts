import type { FastifyServerOptions } from 'fastify'
import { loggedAddress } from './logged-address.ts'

export type LoggerOptions = Exclude<FastifyServerOptions['logger'], boolean | undefined>

/** Libraries would log request headers, and values of rows that PostgreSQL refuses. */
const REMOVED = ['busboyOptions.headers', 'err.detail', 'err.where']

/** Lines of Fastify and its plugins contain no whole addresses, headers or rows. */
export function withoutSecrets(options: LoggerOptions): LoggerOptions {
  return {
    ...options,
    serializers: { req: ({ method, url }) => ({ method, url: loggedAddress(url) }) },
    redact: { paths: REMOVED, remove: true },
  }
}
