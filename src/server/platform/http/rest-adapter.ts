import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import type { Page } from '#shared/field.schemas.ts'
import { type Context, createContext } from '../context.ts'
import type { AppDeps } from '../deps.ts'
import { PUBLIC_READS } from './answer/public-reads.ts'

/** The procedure's input joins parameters, query and body. */
export type RestRoute = {
  method: HTTPMethods
  path: string
  procedure: string
  summary: string
  /** 200 by default; 204 has no body. */
  status?: number | ((output: never) => number)
  /** Selects the body; the whole output by default. */
  present?: (output: never) => unknown
  /** The body is a page's items; a `Link` header leads to the next. */
  paged?: true
  headers?: Record<string, string>
  /** For the app: neither documented nor accepted. */
  appOnly?: readonly string[]
  /** Documents what the procedure checks. */
  signedIn?: true
  /** No API tokens, although it reads. */
  peopleOnly?: true
  failures: readonly number[]
  body?: z.ZodType
}

const PAGE_PARAMETERS = ['limit', 'cursor']

type Call = (input: unknown) => Promise<unknown>
type CreateCaller = (context: Context) => unknown

/** `app` has the prefix `/api`. */
export function registerRestRoutes(
  app: FastifyInstance,
  deps: AppDeps,
  { routes, createCaller }: { routes: readonly RestRoute[]; createCaller: CreateCaller },
): void {
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const context = await createContext(deps, { req: request, res: reply })
        const output = await findCall(
          createCaller(context),
          route.procedure,
        )(joinInput(request, route))
        return answer(reply, { route, output })
      },
    })
  }
}

function findCall(caller: unknown, procedure: string): Call {
  let found = caller
  for (const name of procedure.split('.')) found = (found as Record<string, unknown>)[name]
  return found as Call
}

/** The schema refuses other bodies. */
function joinInput(
  { method, query, params, body }: FastifyRequest,
  { appOnly = [] }: RestRoute,
): unknown {
  const carriesBody = method !== 'GET' && method !== 'HEAD'
  if (carriesBody && body !== undefined && !isObject(body)) return body
  const joined = {
    ...(query as object),
    ...(carriesBody && (body as object)),
    ...(params as object),
  }
  return Object.fromEntries(Object.entries(joined).filter(([name]) => !appOnly.includes(name)))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function answer(reply: FastifyReply, input: { route: RestRoute; output: unknown }) {
  const { route } = input
  const output = input.output as never
  const body = route.present ? route.present(output) : output
  const status = typeof route.status === 'function' ? route.status(output) : (route.status ?? 200)
  reply.code(status)
  if (route.headers) reply.headers(route.headers)
  if (status === 204) return reply.send()
  if (!route.paged) return body
  const page = body as Page<unknown>
  if (page.nextCursor) reply.header('link', `<${nextAddress(reply, page.nextCursor)}>; rel="next"`)
  return page.items
}

function nextAddress({ request }: FastifyReply, cursor: string): string {
  const [path, query] = request.url.split('?')
  const known = PUBLIC_READS[request.routeOptions.url ?? '']?.query ?? PAGE_PARAMETERS
  const parameters = new URLSearchParams(query)
  for (const name of [...parameters.keys()]) if (!known.includes(name)) parameters.delete(name)
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}
