import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'

const FORM = /^\s*multipart\//i

/**
 * The body of an answer that refuses a form while that is still being sent, perhaps for minutes: with `Connection: close`, so
 * that clients stop sending and use no connection on which they would have to wait. What they send all the same is read
 * and thrown away until its end, as hanging up earlier would take the answer along. See docs/decisions/0028-connections.md.
 */
export function refuseForm(reply: FastifyReply, text: string): string | Readable {
  const { raw, headers } = reply.request
  const isComing = !raw.complete && !raw.readableEnded
  if (!isComing || !FORM.test(headers['content-type'] ?? '')) return text
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(text))
  // A parser that failed, or was left, reads no further.
  raw.unpipe()
  const rest = finished(raw.resume(), { writable: false }).catch(() => undefined)
  return Readable.from(
    (async function* () {
      yield text
      await rest
    })(),
  )
}
