import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isFresh } from '../../files/conditional-request.ts'
import { chooseEncoding, compress } from './compression.ts'

const TEXT = /^(text\/(html|plain)|application\/([\w.-]+\+)?(json|xml))/
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding']

/** ETag and compression. Texts become buffers; buffers and streams pass. */
export function registerTextAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || Buffer.isBuffer(payload)) {
      done(null, payload)
      return
    }
    readText(reply, payload)
      .then((text) => (text ? writeText(reply, text) : payload))
      .then((sent) => done(null, sent), done)
  })
}

/** Answers 304. Register after the hooks that cache. */
export function registerFreshness(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = Buffer.isBuffer(payload) && reply.statusCode === 200
    if (!isText || !hasFreshCopy(request, reply)) {
      done(null, payload)
      return
    }
    for (const name of BODY_HEADERS) reply.removeHeader(name)
    reply.code(304)
    done(null, null)
  })
}

function hasFreshCopy(request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag')
  const modified = reply.getHeader('last-modified')
  const modifiedAt = modified === undefined ? undefined : new Date(String(modified))
  return etag !== undefined && isFresh(request, { etag: String(etag), modifiedAt })
}

/** For status 200. tRPC's adapter passes a Response, whose headers move to `reply`. */
async function readText(reply: FastifyReply, payload: unknown): Promise<Buffer | undefined> {
  const isResponse = payload instanceof Response
  const status = isResponse ? payload.status : reply.statusCode
  const type = isResponse ? payload.headers.get('content-type') : reply.getHeader('content-type')
  if (status !== 200 || !TEXT.test(String(type))) return undefined
  if (typeof payload === 'string') return Buffer.from(payload)
  if (!isResponse) return undefined
  for (const [name, value] of payload.headers) reply.header(name, value)
  return Buffer.from(await payload.arrayBuffer())
}

async function writeText(reply: FastifyReply, text: Buffer): Promise<Buffer> {
  const control = String(reply.getHeader('cache-control') ?? '')
  if (/no-store/.test(control)) return text
  if (!reply.hasHeader('etag')) reply.header('etag', `W/"${hash('sha1', text, 'base64url')}"`)
  if (!control || control === 'private') {
    reply.header('cache-control', control ? 'private, no-cache' : 'no-cache')
  }
  const others = String(reply.getHeader('vary') ?? '')
  reply.header('vary', [others, 'accept-encoding'].filter(Boolean).join(', '))
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  const compressed = encoding && (await compress(text, encoding))
  if (!compressed) return text
  reply.header('content-encoding', encoding)
  return compressed
}
