import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionOf } from '../auth/request-session.ts'
import { readSessionCookie } from '../auth/session-cookie.ts'
import type { AppDeps } from '../context.ts'
import { type Reading, recordOnwards } from '../db/changes.ts'
import { followChanges } from '../db/database.ts'
import { createKept, type Kept } from '../db/kept.ts'
import { answerBefore } from './answer-before.ts'
import { createAskedAgain } from './asked-again.ts'
import { householdOf, householdOfSocket } from './client-address.ts'
import { chooseEncoding, compress } from './compression.ts'
import { isResponse } from './fetched-response.ts'
import { holdsTag, isKeptForMembers, type KeptRead, toKeptRead } from './kept-read.ts'
import { countCalls } from './rate-limits.ts'
import { createQuickSender, type ReadyBytes, sendReady, toReadyBytes } from './ready-bytes.ts'
import { hasGoodHost } from './request-host.ts'
import { createRequestNote } from './request-note.ts'

/** Of visitors' answers together, and of members'. */
const CACHE_BYTES_MAX = 32 * 1024 * 1024
/** Of an answer, as a list and as they are sent. */
const HEADERS_BYTES = 4096
/** Scores that weigh age drift without any change; nothing else depends on the time. */
const AGE_MAX_MS = 60_000
/** Node writes them itself, or they belong to one answer. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
/** They speak of a body. */
const BODY_HEADERS = new Set(['content-type', 'content-length', 'content-encoding'])
/** What says that a session goes on. */
const SESSION_TABLES = ['sessions', 'users'] as const

/** An answer as it was sent, ready to be sent again. */
type Answer = {
  bornAt: number
  /** Then its session, if any, has to be looked at again, whatever changed. */
  endsAt: number
  /** How many calls it counts as. */
  calls: number
  etag: string
  ready: ReadyBytes
}

/**
 * Few of them are asked again, and then what was found and its videos are known anyway: where there is no room,
 * none takes another answer's before the second time.
 */
const SEARCHES = /^\/(api\/search|trpc\/search\.)/

/** Who asks, as it was found out while the answer was made. */
type Asker = { who: 'visitor' } | { who: 'member'; steadyUntil: number }

/**
 * Answers what is asked again with the bytes of before, for as long as nothing that was read for them
 * changed. Visitors have no names, so the address says everything about their answers. Those of members are
 * kept under the very header of cookies that they came for: what was read for them includes the session,
 * so that they go with it, and they are not used beyond the moment when it is over or has to be renewed.
 *
 * Requests that come straight to the server are answered before the framework sees them; those that
 * come through a trusted proxy, whose address it has to find out, in its first hook.
 */
export function registerAnswerCache(app: FastifyInstance, deps: AppDeps): void {
  const changes = followChanges(deps.db)
  const keep = () => createKept<Answer>(changes, { bytesMax: CACHE_BYTES_MAX, bytesOf })
  const answersOf: Record<KeptRead['who'], Kept<Answer>> = { visitor: keep(), member: keep() }
  const isAskedAgain = createAskedAgain()
  const readings = createRequestNote<{ read: KeptRead; reading: Reading }>('reading')

  answerEarly(app, { deps, answersOf })

  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    const read = toKeptRead(raw, deps.config)
    const answer = read && answersOf[read.who].find(read.key)
    if (!answer || !mayBeUsed(answer, { deps, now: Date.now() })) return
    deps.limits.reads.count(householdOf(request.ip), answer.calls)
    if (holdsTag(raw, answer.etag)) sendFresh(reply.raw, answer)
    else sendReady(reply.raw, answer.ready)
    reply.hijack()
  })

  app.addHook('preHandler', (request, _, done) => {
    const read = toKeptRead(request.raw, deps.config)
    if (!read || (read.who === 'member' && !isKeptForMembers(request.url))) return done()
    readings.set(request, { read, reading: recordOnwards(changes, done) })
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const noted = readings.get(request)
    const asker = noted && (await findAsker(request, deps, noted))
    if (!noted || !asker) return payload
    const plain = await toBytes(unwrapResponse(payload, reply))
    if (!plain) return payload
    const type = String(reply.getHeader('content-type'))
    const isJson = reply.statusCode === 200 && type.startsWith('application/json')
    if (!isJson || reply.hasHeader('set-cookie')) return plain
    const { read, reading } = noted
    const body = await prepare(reply, { plain, asker })
    const etag = String(reply.getHeader('etag'))
    const answers = answersOf[read.who]
    const isRare = SEARCHES.test(request.url) && !answers.hasRoom(body.length + HEADERS_BYTES)
    if (!isRare || isAskedAgain(read.key)) {
      answers.keep(read.key, { value: toAnswer(reply, { etag, body, asker }), reading })
    }
    if (!holdsTag(request.raw, etag)) return body
    for (const name of BODY_HEADERS) reply.removeHeader(name)
    reply.code(304)
    return null
  })
}

/** Before the framework sees a request. */
function answerEarly(
  app: FastifyInstance,
  { deps, answersOf }: { deps: AppDeps; answersOf: Record<KeptRead['who'], Kept<Answer>> },
): void {
  const sendAtOnce = createQuickSender(app.server)
  const { publicUrl, trustedProxies } = deps.config
  const needsFramework =
    publicUrl !== undefined || trustedProxies.length > 0 || app.log.level === 'debug'
  if (needsFramework) return
  answerBefore(app, (request, response) => {
    const read = toKeptRead(request, deps.config)
    const answer = read && answersOf[read.who].findTogether(read.key)
    const now = Date.now()
    if (!answer || !mayBeUsed(answer, { deps, now }) || !hasGoodHost(request)) return false
    try {
      deps.limits.reads.count(householdOfSocket(request.socket), answer.calls)
    } catch {
      // Beyond the limit: the hook says so as it says everything else.
      return false
    }
    if (holdsTag(request, answer.etag)) sendFresh(response, answer)
    else sendAtOnce({ request, response }, answer.ready, now)
    return true
  })
}

function mayBeUsed(answer: Answer, { deps, now }: { deps: AppDeps; now: number }): boolean {
  return now >= answer.bornAt && now < answer.endsAt && !deps.closing.aborted
}

/** Whose answer was made, if it may be kept: of a member, whose session was read for it and goes on. */
async function findAsker(
  request: FastifyRequest,
  deps: AppDeps,
  { read, reading }: { read: KeptRead; reading: Reading },
): Promise<Asker | undefined> {
  if (read.who === 'visitor') {
    return readSessionCookie(request, deps.config) === undefined ? { who: 'visitor' } : undefined
  }
  const session = await sessionOf(request, deps)
  const sawSession = SESSION_TABLES.every((table) => reading.tables.has(table))
  return session && sawSession ? { who: 'member', steadyUntil: session.steadyUntil } : undefined
}

/** The procedures' adapter hands over a Response: its head goes to the reply, its body is answered. */
function unwrapResponse(payload: unknown, reply: FastifyReply): unknown {
  if (!isResponse(payload)) return payload
  if (!payload.headers.get('content-type')?.startsWith('application/json')) return undefined
  reply.code(payload.status)
  for (const [name, value] of payload.headers) reply.header(name, value)
  return payload.body
}

function toAnswer(
  reply: FastifyReply,
  { etag, body, asker }: { etag: string; body: Buffer; asker: Asker },
): Answer {
  const bornAt = Date.now()
  const steadyUntil = asker.who === 'member' ? asker.steadyUntil : Number.POSITIVE_INFINITY
  return {
    bornAt,
    endsAt: Math.min(bornAt + AGE_MAX_MS, steadyUntil),
    calls: countCalls(reply.request),
    etag,
    ready: toReadyBytes(toPairs(reply, body), body),
  }
}

/** Marks an answer so that it need not be sent twice, and makes it small for those who take it so. */
async function prepare(
  reply: FastifyReply,
  { plain, asker }: { plain: Buffer; asker: Asker },
): Promise<Buffer> {
  reply
    .header('etag', `W/"${hash('sha1', plain, 'base64url')}"`)
    .header('cache-control', asker.who === 'member' ? 'private, no-cache' : 'no-cache')
  const others = String(reply.getHeader('vary') ?? '')
  reply.header('vary', [others, 'accept-encoding'].filter(Boolean).join(', '))
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  const small = encoding && (await compress(plain, encoding))
  if (!small) return plain
  reply.header('content-encoding', encoding)
  return small
}

function toPairs(reply: FastifyReply, body: Buffer): string[] {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (!OWN_HEADERS.has(name)) pairs.push(name, String(value))
  }
  return [...pairs, 'content-length', String(body.length)]
}

/** Says to somebody who has the answer that it is still the same. */
function sendFresh(response: ServerResponse, { ready: { headers } }: Answer): void {
  const isOfBody = (at: number) => BODY_HEADERS.has(headers[at - (at % 2)] ?? '')
  response
    .writeHead(
      304,
      headers.filter((_, at) => !isOfBody(at)),
    )
    .end()
}

function bytesOf({ ready }: Answer): number {
  return ready.body.length + HEADERS_BYTES
}

async function toBytes(payload: unknown): Promise<Buffer | undefined> {
  if (typeof payload === 'string') return Buffer.from(payload)
  if (Buffer.isBuffer(payload)) return payload
  if (payload instanceof ReadableStream) {
    return Buffer.from(await new Response(payload).arrayBuffer())
  }
  return undefined
}
