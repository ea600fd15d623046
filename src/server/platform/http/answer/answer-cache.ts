import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { busOf } from '../../cluster/cluster.ts'
import type { Config } from '../../config.ts'
import { readChangeCount } from '../../db/database.ts'
import type { AppDeps } from '../../deps.ts'
import { createBusyError } from '../../errors.ts'
import { clientNetwork } from '../../request/client-address.ts'
import { hasAuthorization, readSessionCookie } from '../../request/credentials.ts'
import { countCalls, type RateLimits } from '../../request/rate-limits.ts'
import { siteOrigin } from '../../request/site-origin.ts'
import { REQUEST_ID_HEADER } from '../request-id.ts'
import { chooseEncoding } from './compression.ts'
import { PUBLIC_PROCEDURES, PUBLIC_READS } from './public-reads.ts'

/** Limits staleness: quiet writes do not invalidate, and trending depends on time. */
const LIFETIME_MS = 1000
const BYTES_MAX = 32 * 1024 * 1024
/** Approximate headers and cache entry. */
const HEAD_BYTES = 4096
/** These headers change the answer. */
const FORM_HEADERS = ['trpc-accept', 'content-type', 'expect']

type Answer = { headers: Record<string, string>; body: Buffer }
export type CacheCounts = { readonly hits: number; readonly misses: number }
type Miss = { key: string; count: number | undefined; end: (isRefused?: boolean) => void }

/**
 * Caches visitors' answers of `PUBLIC_READS` for a second; joins concurrent reads. Any write except
 * `writeQuietly` clears it; answers overtaken by a write are not stored. Register after hooks that
 * serialize. See docs/decisions/0017-answers-cached-for-a-second.md.
 */
export function registerAnswerCache(
  app: FastifyInstance,
  { config, db, limits }: AppDeps,
): CacheCounts {
  const counts = { hits: 0, misses: 0 }
  const answers = new LRUCache<string, Answer>({
    maxSize: BYTES_MAX,
    ttl: LIFETIME_MS,
    sizeCalculation: ({ body }, key) => body.length + key.length * 2 + HEAD_BYTES,
  })
  const misses = new WeakMap<FastifyRequest, Miss>()
  /** True when refused, mostly for lack of a database connection. */
  const underWay = new Map<string, Promise<boolean>>()
  const bus = busOf(db)
  let lastCount: number | undefined
  let isForgetting = false

  /** Else what nobody asks for again would stay in memory. */
  function forgetLater(): void {
    if (isForgetting) return
    isForgetting = true
    setTimeout(() => {
      isForgetting = false
      answers.purgeStale()
      if (answers.size > 0) forgetLater()
    }, LIFETIME_MS).unref()
  }

  function readCount(): number | undefined {
    const count = readChangeCount(db)
    if (count === undefined || count !== lastCount) answers.clear()
    lastCount = count
    return count
  }

  function beginMiss(request: FastifyRequest, reply: FastifyReply, key: string): void {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const end = (isRefused = false) => {
      if (underWay.get(key) === promise) underWay.delete(key)
      resolve(isRefused)
    }
    underWay.set(key, promise)
    misses.set(request, { key, count: readCount(), end })
    reply.raw.once('close', () => end())
  }

  app.addHook('onRequest', (request, reply, done) => {
    const key = keyOf(request, config)
    if (key === undefined) {
      done()
      return
    }
    const waitFor = async (other: Promise<boolean>): Promise<void> => {
      // Retrying would take as long again.
      if (await other) done(createBusyError())
      else await proceed(true)
    }
    const proceed = async (hasWaited: boolean): Promise<void> => {
      // Without the message bus the cache may be stale: clear it.
      if (!(await bus.sync())) answers.clear()
      readCount()
      const answer = answers.get(key)
      if (answer && (await isWithinLimit(request, limits))) {
        counts.hits++
        void reply.headers(answer.headers).send(answer.body)
        return
      }
      // Another may have begun reading meanwhile.
      const other = hasWaited ? undefined : underWay.get(key)
      if (other) return waitFor(other)
      counts.misses++
      beginMiss(request, reply, key)
      done()
    }
    const other = underWay.get(key)
    if (other) void waitFor(other)
    else void proceed(false)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const miss = misses.get(request)
    if (miss) {
      const isText = reply.statusCode === 200 && Buffer.isBuffer(payload)
      const isCurrent = miss.count !== undefined && readCount() === miss.count
      if (isText && isCurrent && !reply.hasHeader('set-cookie')) {
        answers.set(miss.key, { headers: copyHeaders(reply), body: ownBytes(payload) })
        forgetLater()
      }
      // tRPC's adapter passes a Response.
      const { status } = payload instanceof Response ? payload : { status: reply.statusCode }
      miss.end(status === 503)
    }
    done(null, payload)
  })
  return counts
}

/** A small one would keep the 64 KiB that Node cuts buffers from. */
function ownBytes(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}

function copyHeaders(reply: FastifyReply): Record<string, string> {
  const { [REQUEST_ID_HEADER]: _, ...headers } = reply.getHeaders()
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** Everything that the answer depends on; undefined if uncacheable. */
function keyOf(request: FastifyRequest, config: Config): string | undefined {
  const { method, headers, query, params, routeOptions } = request
  const read = PUBLIC_READS[routeOptions.url ?? '']
  if (!read || method !== 'GET' || hasAuthorization(request)) return undefined
  if (readSessionCookie(request, config) !== undefined) return undefined
  if (FORM_HEADERS.some((name) => headers[name] !== undefined)) return undefined
  const { path } = params as { path?: string }
  if (headers.accept?.includes('jsonl')) return undefined
  if (path?.split(',').some((name) => !PUBLIC_PROCEDURES.has(name))) return undefined
  return JSON.stringify([
    ...[routeOptions.url, params, chooseEncoding(headers['accept-encoding'])],
    ...[read.hasOrigin && siteOrigin(request, config), headers['save-data'] === 'on'],
    read.query?.map((name) => (query as Record<string, unknown>)[name]),
  ])
}

/** Cache hits count. Also false when counting fails. */
function isWithinLimit(request: FastifyRequest, { reads }: RateLimits): Promise<boolean> {
  return reads.isWithin(clientNetwork(request), countCalls(request)).catch(() => false)
}
