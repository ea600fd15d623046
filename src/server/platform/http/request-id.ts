import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Short enough to read aloud; unique within days of log. */
export function makeRequestId(): string {
  return randomUUID().slice(0, 8)
}

/** Ignores a client's own id. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (_, reply, done) => {
    nameRequest(reply)
    done()
  })
}

export function nameRequest(reply: FastifyReply): FastifyReply {
  return reply.header(REQUEST_ID_HEADER, reply.request.id)
}
