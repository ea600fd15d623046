import type { FastifyReply, FastifyRequest } from 'fastify'

/** A route's pattern or a procedure, never an address: of those there are as many as anyone likes. */
export type AnsweredCall = { route: string; status: number }

const UNKNOWN = 'unknown'
/** tRPC's, for a batch of which some calls failed. */
const MIXED_STATUS = 207

const failed = new WeakMap<FastifyRequest, { call: string; status: number }[]>()

/** A call of a batch that failed: the status of the answer does not say which. */
export function noteFailedCall(
  request: FastifyRequest,
  { call = UNKNOWN, status }: { call: string | undefined; status: number },
): void {
  const all = failed.get(request)
  if (all) all.push({ call, status })
  else failed.set(request, [{ call, status }])
}

/** What an answered request called, and with which status: its route, or each of the procedures of a batch. */
export function listCalls(
  request: FastifyRequest,
  { reply, procedures }: { reply: FastifyReply; procedures: ReadonlySet<string> },
): AnsweredCall[] {
  const { statusCode } = reply
  const { url = UNKNOWN } = request.routeOptions
  if (!url.startsWith('/trpc/')) return [{ route: url, status: statusCode }]
  const failures = [...(failed.get(request) ?? [])]
  const { path } = request.params as { path: string }
  return path.split(',').map((call) => {
    const at = failures.findIndex((failure) => failure.call === call)
    const [failure] = at === -1 ? [] : failures.splice(at, 1)
    const others = statusCode === MIXED_STATUS ? 200 : statusCode
    const name = procedures.has(call) ? call : UNKNOWN
    return { route: `/trpc/${name}`, status: failure?.status ?? others }
  })
}
