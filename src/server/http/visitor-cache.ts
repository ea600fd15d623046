import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSessionCookie } from '../auth/session-cookie.ts'
import type { AppDeps } from '../context.ts'
import { readChangeCount } from '../db/database.ts'
import { householdOf } from './client-address.ts'
import { countCalls } from './rate-limits.ts'

const CACHE_BYTES_MAX = 32 * 1024 * 1024
/** Scores that weigh age drift without any change; nothing else depends on the time. */
const AGE_MAX_MS = 60_000
const CACHED_PATHS = /^\/(api\/(videos|users|search|categories)|trpc)(\/|\?|$)/

type Entry = {
  bornAt: number
  type: string
  link: string | undefined
  body: Buffer
}

/**
 * Answers what visitors ask again with the bytes of before, for as long as nothing at all was
 * written to the database: visitors have no names, so the address says everything about the answer.
 */
export function registerVisitorCache(app: FastifyInstance, deps: AppDeps): void {
  const cache = createCache()
  /** As it was before the answer was read: a change meanwhile makes the entry stale from the start. */
  const versions = new WeakMap<FastifyRequest, string>()

  app.addHook('onRequest', async (request, reply) => {
    const key = cacheKey(request, deps)
    if (key === undefined) return
    const entry = cache.find(key, readChangeCount(deps.db))
    if (!entry) return
    deps.limits.reads.count(householdOf(request.ip), countCalls(request))
    if (entry.link) reply.header('link', entry.link)
    reply.header('content-type', entry.type)
    return reply.send(entry.body)
  })

  app.addHook('preHandler', async (request) => {
    versions.set(request, readChangeCount(deps.db))
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const key = cacheKey(request, deps)
    const version = versions.get(request)
    if (key === undefined || version === undefined) return payload
    const body = await toBytes(unwrapResponse(payload, reply))
    if (!body) return payload
    const type = String(reply.getHeader('content-type'))
    if (reply.statusCode === 200 && type.startsWith('application/json')) {
      const link = reply.getHeader('link')?.toString()
      cache.keep(key, { version, entry: { bornAt: Date.now(), type, link, body } })
    }
    return body
  })
}

/** The procedures' adapter hands over a Response: its head goes to the reply, its body is answered. */
function unwrapResponse(payload: unknown, reply: FastifyReply): unknown {
  if (!(payload instanceof Response)) return payload
  if (!payload.headers.get('content-type')?.startsWith('application/json')) return undefined
  reply.code(payload.status)
  for (const [name, value] of payload.headers) reply.header(name, value)
  return payload.body
}

/** The address without `_t`, or undefined for what is not a visitor's read. */
function cacheKey(request: FastifyRequest, { config }: AppDeps): string | undefined {
  if (request.method !== 'GET' || !CACHED_PATHS.test(request.url)) return undefined
  // It asks for the same answer in another form.
  if (request.headers['trpc-accept'] !== undefined) return undefined
  if (request.headers.authorization !== undefined) return undefined
  if (request.headers.cookie && readSessionCookie(request, config)) return undefined
  return request.url.replace(/([?&])_t=[^&]*(&|$)/, '$1')
}

/** The entries of one version of the database, of 32 MiB at most: another version empties it. */
function createCache() {
  const entries = new Map<string, Entry>()
  let current = ''
  let bytes = 0
  return {
    find(key: string, version: string): Entry | undefined {
      const entry = version === current ? entries.get(key) : undefined
      return entry && Date.now() - entry.bornAt <= AGE_MAX_MS ? entry : undefined
    },
    keep(key: string, { version, entry }: { version: string; entry: Entry }): void {
      if (version !== current || bytes + entry.body.length > CACHE_BYTES_MAX) {
        entries.clear()
        bytes = 0
        current = version
      }
      bytes += entry.body.length - (entries.get(key)?.body.length ?? 0)
      entries.set(key, entry)
    },
  }
}

async function toBytes(payload: unknown): Promise<Buffer | undefined> {
  if (typeof payload === 'string') return Buffer.from(payload)
  if (Buffer.isBuffer(payload)) return payload
  if (payload instanceof ReadableStream) {
    return Buffer.from(await new Response(payload).arrayBuffer())
  }
  return undefined
}
