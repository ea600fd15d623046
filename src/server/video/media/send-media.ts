import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { planAnswer, versionOfKey } from '#server/platform/files/answer-plan.ts'
import { isFresh } from '#server/platform/files/conditional-request.ts'
import { contentTypeOf } from '#server/platform/files/content-type.ts'
import { answerMedia, openMedia } from '#server/platform/files/media-answer.ts'
import { StoreError, storeKey } from '#server/platform/files/media-store.ts'
import { openAnswer, sendAnswer } from '#server/platform/files/store-answer.ts'
import { clientNetwork } from '#server/platform/request/client-address.ts'
import { createDelivery } from './delivery.ts'
import { createStoredFiles } from './stored-files.ts'

const RETRY_SECONDS = 5

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type SentFile = {
  mediaKey: string
  name: string
  cacheControl: string
  contentDisposition?: string
  /** Repeated during the transfer. */
  mayHave: () => Promise<boolean>
  askedEveryMs: number
  publicPath?: string | undefined
  isSentFromHere?: boolean
}

/**
 * With `X_ACCEL_PREFIX` the trusted proxy sends the file.
 * @returns a sender; false for a missing file
 */
export function createMediaSender(deps: AppDeps) {
  const { media, config } = deps
  const delivery = createDelivery(deps)
  const stored = createStoredFiles(media, { cacheBytes: config.media.cacheBytes })

  return async (exchange: Exchange, file: SentFile): Promise<boolean> => {
    const { request, reply } = exchange
    const { mediaKey, name, cacheControl, contentDisposition, publicPath } = file
    const key = storeKey(mediaKey, name)
    const headers: OutgoingHttpHeaders = {
      'accept-ranges': 'bytes',
      'content-type': contentTypeOf(name),
      'cache-control': cacheControl,
      ...(contentDisposition && { 'content-disposition': contentDisposition }),
    }
    if (!file.isSentFromHere && request.method !== 'HEAD') {
      const handed = { key, name, cacheControl, contentDisposition, publicPath }
      const address = await delivery.findAddress(handed)
      if (address) {
        void reply.header('cache-control', address.cacheControl).redirect(address.location, 302)
        return true
      }
    }
    if (delivery.asksForProxy(request.raw)) {
      const target = await delivery.findProxyTarget(key, request.raw)
      if (target) return sendByProxy(exchange, { key, headers, target })
    }
    const isSent = await sendLocal(exchange, { file, key, headers })
    return isSent || (await sendStored(exchange, { file, key, headers }))
  }

  type Sending = { file: SentFile; key: string; headers: OutgoingHttpHeaders }

  /** The proxy cannot know a remote file's ETag. */
  async function sendByProxy(
    { request, reply }: Exchange,
    input: { key: string; headers: OutgoingHttpHeaders; target: string },
  ): Promise<boolean> {
    const { key, headers, target } = input
    void reply.headers(headers)
    // In an outage its cache may have the file.
    const state = media.remote && (await stored.find(key).catch(() => undefined))
    if (state) {
      const version = versionOfKey(key, state)
      void reply.header('etag', version.etag)
      if (isFresh(request, version)) {
        void reply.code(304).send()
        return true
      }
    }
    void reply.header('x-accel-redirect', target).send()
    return true
  }

  async function sendLocal({ reply }: Exchange, { file, key, headers }: Sending): Promise<boolean> {
    const path = media.localPath(key)
    const opened = path === undefined ? undefined : await openMedia(reply.raw, path)
    if (!opened) return false
    const all = takeOver(reply, { file, headers })
    const copyOf = media.remote && key
    await answerMedia(reply.raw, { file: opened, headers: all, copyOf })
    return true
  }

  /** @throws `busy` during an outage */
  async function sendStored(
    { request, reply }: Exchange,
    { file, key, headers }: Sending,
  ): Promise<boolean> {
    try {
      const state = await stored.find(key, { needsFresh: request.method === 'HEAD' })
      if (!state) return false
      const { bytes } = state
      const plan = planAnswer(request.headers, { bytes, ...versionOfKey(key, state) })
      const opened = await openAnswer(media, { key, plan, method: request.method })
      if (!opened) {
        stored.forget(key)
        return false
      }
      const { stream } = opened
      if (stream) stored.noteSent(key)
      await sendAnswer(reply.raw, { plan, headers: takeOver(reply, { file, headers }), stream })
      return true
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      request.log.warn({ reason: error.message }, 'store does not answer')
      const sentence = 'This file cannot be reached at the moment. Please try again soon.'
      throw new AppError('busy', sentence, { retryAfterSeconds: RETRY_SECONDS })
    }
  }
}

/**
 * Past the framework.
 * @returns all headers
 */
function takeOver(
  reply: FastifyReply,
  { file, headers }: { file: SentFile; headers: OutgoingHttpHeaders },
): OutgoingHttpHeaders {
  endWhenRefused(reply.raw, { mayHave: file.mayHave, everyMs: file.askedEveryMs })
  reply.hijack()
  return { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers }
}

function endWhenRefused(
  response: ServerResponse,
  { mayHave, everyMs }: { mayHave: () => Promise<boolean>; everyMs: number },
): void {
  const poll = async () => {
    if (!(await mayHave().catch(() => false))) response.destroy()
  }
  const timer = setInterval(() => void poll(), everyMs).unref()
  response.once('close', () => clearInterval(timer))
}

/** @throws `not-found`, or `too-many` after many missing files */
export async function refuseMedia({ limits }: AppDeps, request: FastifyRequest): Promise<never> {
  await limits.reads.count(clientNetwork(request))
  throw new AppError('not-found', 'There is no such file.')
}
