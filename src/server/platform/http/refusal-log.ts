import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '../deps.ts'
import { clientNetwork } from '../request/client-address.ts'

const MESSAGES: Record<number, string> = { 403: 'refused', 429: 'limit reached' }
/** These are usually harmless, such as a deleted or invisible video, or a form that was refused. */
const NOTES: Record<number, string> = { 400: 'invalid input', 404: 'not found' }
const NUMBER = /^\d{1,16}$/

const noted = new WeakSet<FastifyRequest>()

/**
 * Logs the call, network and member of a refusal, without the address. Of 403 and 429, at most 30 lines a minute per
 * client; of 400 and 404, at most 10, at the level `info`. One line per request.
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
  const isNote = status in NOTES
  const message = MESSAGES[status] ?? NOTES[status]
  if (!message || (isNote && call === undefined) || noted.has(request)) return
  noted.add(request)
  const address = clientNetwork(request)
  const { refusalLines, noteLines } = deps.limits
  if (!(await (isNote ? noteLines : refusalLines).isWithin(address))) return
  const { sessionOf, tokenOf } = deps.identity
  const findCaller = async () => (await sessionOf(request)) ?? (await tokenOf(request))
  const caller = await findCaller().catch(() => undefined)
  const { method } = request
  const userId = caller?.viewer.id ?? null
  const level = isNote ? 'info' : 'warn'
  request.log[level]({ status, method, call, ...idOf(request), userId, address, ...facts }, message)
}

/** Returns the id of the requested object if the path contains one. */
function idOf({ params }: FastifyRequest): { id?: string } {
  const { id } = (params ?? {}) as { id?: unknown }
  return typeof id === 'string' && NUMBER.test(id) ? { id } : {}
}
