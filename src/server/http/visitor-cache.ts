import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSessionCookie } from '../auth/session-cookie.ts'
import type { AppDeps } from '../context.ts'
import { type Reading, recordOnwards } from '../db/changes.ts'
import { followChanges } from '../db/database.ts'
import { createKept } from '../db/kept.ts'
import { answerBefore } from './answer-before.ts'
import { householdOf } from './client-address.ts'
import { chooseEncoding, compress } from './compression.ts'
import { countCalls } from './rate-limits.ts'
import { holdsTag, isVisitorRead, visitorKey } from './visitor-read.ts'

const CACHE_BYTES_MAX = 32 * 1024 * 1024
/** Scores that weigh age drift without any change; nothing else depends on the time. */
const AGE_MAX_MS = 60_000
/** Node writes them itself, or they belong to one answer. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
/** They speak of a body. */
const BODY_HEADERS = new Set(['content-type', 'content-length', 'content-encoding'])

/** An answer as it was sent, ready to be sent again. */
type Answer = {
  bornAt: number
  /** How many calls it counts as. */
  calls: number
  etag: string
  /** Names and values in turn, as `writeHead` takes them quickest. */
  headers: string[]
  headersWhenFresh: string[]
  body: Buffer
}

/**
 * Answers what visitors ask again with the bytes of before, for as long as nothing that was read for
 * them changed: visitors have no names, so the address says everything about the answer.
 *
 * Requests that come straight to the server are answered before the framework sees them; those that
 * come through a trusted proxy, whose address it has to find out, in its first hook.
 */
export function registerVisitorCache(app: FastifyInstance, deps: AppDeps): void {
  const changes = followChanges(deps.db)
  const answers = createKept<Answer>(changes, {
    bytesMax: CACHE_BYTES_MAX,
    bytesOf: ({ body, headers }) => body.length + headers.join().length * 2,
  })
  const readings = new WeakMap<FastifyRequest, Reading>()

  function answer(request: IncomingMessage, response: ServerResponse, address: string): boolean {
    const key = visitorKey(request, deps.config)
    const found = key === undefined ? undefined : answers.find(key)
    if (!found || Date.now() - found.bornAt > AGE_MAX_MS || deps.closing.aborted) return false
    deps.limits.reads.count(householdOf(address), found.calls)
    if (holdsTag(request, found.etag)) response.writeHead(304, found.headersWhenFresh).end()
    else response.writeHead(200, found.headers).end(found.body)
    return true
  }

  answerBefore(app, (request, response) => {
    const needsFramework = deps.config.trustedProxies.length > 0 || app.log.level === 'debug'
    const address = request.socket.remoteAddress
    if (needsFramework || address === undefined) return false
    try {
      return answer(request, response, address)
    } catch {
      // Beyond the limit: the hook says so as it says everything else.
      return false
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    if (answer(request.raw, reply.raw, request.ip)) reply.hijack()
  })

  app.addHook('preHandler', (request, _, done) => {
    if (!isVisitorRead(request.raw, deps.config)) return done()
    readings.set(request, recordOnwards(changes, done))
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const reading = readings.get(request)
    const key = reading && visitorKey(request.raw, deps.config)
    if (!key || readSessionCookie(request, deps.config) !== undefined) return payload
    const plain = await toBytes(unwrapResponse(payload, reply))
    if (!plain) return payload
    const type = String(reply.getHeader('content-type'))
    const isJson = reply.statusCode === 200 && type.startsWith('application/json')
    if (!isJson || reply.hasHeader('set-cookie')) return plain
    const body = await prepare(reply, plain)
    const { etag } = reply.getHeaders() as { etag: string }
    const headers = toPairs(reply, body)
    const headersWhenFresh = toPairs(reply)
    const calls = countCalls(request)
    const value = { bornAt: Date.now(), calls, etag, headers, headersWhenFresh, body }
    answers.keep(key, { value, reading })
    if (!holdsTag(request.raw, etag)) return body
    for (const name of BODY_HEADERS) reply.removeHeader(name)
    reply.code(304)
    return null
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

/** Marks an answer so that it need not be sent twice, and makes it small for those who take it so. */
async function prepare(reply: FastifyReply, plain: Buffer): Promise<Buffer> {
  reply
    .header('etag', `W/"${hash('sha1', plain, 'base64url')}"`)
    .header('cache-control', 'no-cache')
  const others = String(reply.getHeader('vary') ?? '')
  reply.header('vary', [others, 'accept-encoding'].filter(Boolean).join(', '))
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  const small = encoding && (await compress(plain, encoding))
  if (!small) return plain
  reply.header('content-encoding', encoding)
  return small
}

function toPairs(reply: FastifyReply, body?: Buffer): string[] {
  const pairs = Object.entries(reply.getHeaders()).filter(
    ([name]) => !OWN_HEADERS.has(name) && (body !== undefined || !BODY_HEADERS.has(name)),
  )
  const all = pairs.flatMap(([name, value]) => [name, String(value)])
  return body ? [...all, 'content-length', String(body.length)] : all
}

async function toBytes(payload: unknown): Promise<Buffer | undefined> {
  if (typeof payload === 'string') return Buffer.from(payload)
  if (Buffer.isBuffer(payload)) return payload
  if (payload instanceof ReadableStream) {
    return Buffer.from(await new Response(payload).arrayBuffer())
  }
  return undefined
}
