import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { exists } from '#server/platform/files/durable-files.ts'
import { answerMedia, openMedia } from '#server/platform/files/media-answer.ts'
import { networkOf } from '#server/platform/http/connection/client-address.ts'
import { createProxyCheck } from '#server/platform/http/connection/trusted-proxies.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type SentFile = {
  mediaKey: string
  name: string
  cacheControl: string
  /** Whether who is being sent the file may have it still; asked again and again. */
  mayHave: () => Promise<boolean>
  /** How often. */
  askedEveryMs: number
}

/**
 * Makes a function that answers with a file of a media folder, to who may have it.
 *
 * With `X_ACCEL_PREFIX` the proxy in front is instructed which file to send. Where the trusted proxies are known, who comes
 * past them gets the bytes from here: nobody would understand what the proxy is sent.
 * @returns what sends it, and answers false when there is no such file
 */
export function createMediaSender({ config, disk }: AppDeps) {
  const { xAccelPrefix, trustedProxies } = config
  const isProxy = createProxyCheck(trustedProxies)
  const isForwarded = ({ headers, socket }: IncomingMessage) =>
    headers['x-forwarded-for'] !== undefined && isProxy(socket.remoteAddress ?? '')

  return async (
    { request, reply }: Exchange,
    { mediaKey, name, cacheControl, mayHave, askedEveryMs }: SentFile,
  ): Promise<boolean> => {
    const path = join(disk.mediaFolder(mediaKey), name)
    const headers = {
      'accept-ranges': 'bytes',
      'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': cacheControl,
    }
    if (xAccelPrefix && (trustedProxies.length === 0 || isForwarded(request.raw))) {
      if (!(await exists(path))) return false
      const target = [xAccelPrefix, mediaKey, encodeURIComponent(name)].join('/')
      void reply.headers(headers).header('x-accel-redirect', target).send()
      return true
    }
    const file = await openMedia(reply.raw, path)
    if (!file) return false
    endWhenRefused(reply.raw, { mayHave, everyMs: askedEveryMs })
    reply.hijack()
    const all = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers }
    await answerMedia(reply.raw, { file, headers: all })
    return true
  }
}

/** Cuts off an answer that goes on when whoever gets it may not have the file any more. */
function endWhenRefused(
  response: ServerResponse,
  { mayHave, everyMs }: { mayHave: () => Promise<boolean>; everyMs: number },
): void {
  const look = async () => {
    if (!(await mayHave().catch(() => false))) response.destroy()
  }
  const timer = setInterval(() => void look(), everyMs).unref()
  response.once('close', () => clearInterval(timer))
}

/** @throws AppError `not-found`, and `too-many` for who looks for many files that are not there */
export function refuseMedia({ limits }: AppDeps, { ip }: FastifyRequest): never {
  limits.reads.count(networkOf(ip))
  throw new AppError('not-found', 'There is no such file.')
}
