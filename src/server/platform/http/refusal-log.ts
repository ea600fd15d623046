import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '../deps.ts'
import { clientNetwork } from '../request/client-address.ts'

const MESSAGES: Record<number, string> = { 403: 'refused', 429: 'limit reached' }

const noted = new WeakSet<FastifyRequest>()

/**
 * Call, network and member of a 403 or 429, without address: at most 30 lines a minute per client,
 * one per request.
 * @param input.call the route by default
 */
export async function logRefusal(
  deps: Pick<AppDeps, 'identity' | 'limits'>,
  request: FastifyRequest,
  input: {
    status: number
    call?: string | undefined
    facts?: Record<string, string | null>
  },
): Promise<void> {
  const { status, call = request.routeOptions.url, facts } = input
  const message = MESSAGES[status]
  if (!message || noted.has(request)) return
  noted.add(request)
  const address = clientNetwork(request)
  if (!(await deps.limits.refusalLines.isWithin(address))) return
  const { sessionOf, tokenOf } = deps.identity
  const findCaller = async () => (await sessionOf(request)) ?? (await tokenOf(request))
  const caller = await findCaller().catch(() => undefined)
  const { method } = request
  const userId = caller?.viewer.id ?? null
  request.log.warn({ status, method, call, userId, address, ...facts }, message)
}
