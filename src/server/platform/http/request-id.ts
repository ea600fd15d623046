import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Eight characters: few enough to read out, and enough for the lines of a log of some days. */
export function makeRequestId(): string {
  return randomUUID().slice(0, 8)
}

/** Says with every answer which lines of the log are about it. Never one that a client chose: it could be anything. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (_, reply, done) => {
    nameRequest(reply)
    done()
  })
}

export function nameRequest(reply: FastifyReply): FastifyReply {
  return reply.header(REQUEST_ID_HEADER, reply.request.id)
}
