import type { FastifyRequest } from 'fastify'
import { clientNetwork } from './client-address.ts'
import type { RateLimits } from './rate-limits.ts'

type Logged = { limits: RateLimits }

/** Logs at most 30 lines a minute per client, counted together with refusals. */
export async function logWrongToken(
  { limits }: Logged,
  request: FastifyRequest,
  kind: 'api' | 'worker' | 'metrics',
): Promise<void> {
  const address = clientNetwork(request)
  if (!(await limits.refusalLines.isWithin(address))) return
  request.log.warn({ kind, address }, 'wrong token')
}

const TOKEN = /^[\w-]{43}$/

/** Logs a cookie that is forged or whose session has ended, at most three lines in ten minutes per client. */
export async function logUnknownCookie(
  { limits }: Logged,
  request: FastifyRequest,
  token: string,
): Promise<void> {
  const address = clientNetwork(request)
  if (!(await limits.cookieLines.isWithin(address))) return
  const kind = TOKEN.test(token) ? 'ended or unknown' : 'malformed'
  request.log.info({ kind, address }, 'unknown session cookie')
}
