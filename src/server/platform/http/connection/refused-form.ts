import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'

const FORM = /^\s*multipart\//i

/**
 * A form may arrive for minutes. `Connection: close` makes clients stop; the rest is discarded:
 * closing earlier would lose the answer. See docs/decisions/0028-connections.md.
 */
export function refuseForm(reply: FastifyReply, text: string): string | Readable {
  const { raw, headers } = reply.request
  const isComing = !raw.complete && !raw.readableEnded
  if (!isComing || !FORM.test(headers['content-type'] ?? '')) return text
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(text))
  // A failed parser reads no further.
  raw.unpipe()
  const rest = finished(raw.resume(), { writable: false }).catch(() => undefined)
  return Readable.from(
    (async function* () {
      yield text
      await rest
    })(),
  )
}
