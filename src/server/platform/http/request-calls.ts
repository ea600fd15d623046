import type { FastifyReply, FastifyRequest } from 'fastify'

/** A pattern or procedure: addresses are unbounded. */
export type AnsweredCall = { route: string; status: number }

const UNKNOWN = 'unknown'
/** tRPC's status of a batch with failures. */
const MIXED_STATUS = 207

const failed = new WeakMap<FastifyRequest, { call: string; status: number }[]>()

/** A batch's status does not tell. */
export function noteFailedCall(
  request: FastifyRequest,
  { call = UNKNOWN, status }: { call: string | undefined; status: number },
): void {
  const all = failed.get(request)
  if (all) all.push({ call, status })
  else failed.set(request, [{ call, status }])
}

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
