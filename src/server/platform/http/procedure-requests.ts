import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { sendFailure } from './plain-text-error.ts'

const FORM = /^\s*multipart\//i

export function registerProcedureRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.url?.startsWith('/trpc/')) return
    // The adapter cannot build a TRACE Request.
    if (request.method === 'TRACE') {
      return sendFailure(reply, { status: 405, message: 'This call does not take that method.' })
    }
    // The adapter would read a form of any size.
    if (FORM.test(request.headers['content-type'] ?? '')) {
      throw new AppError('unsupported', 'Send this as application/json.')
    }
  })

  app.addHook('onSend', (_, __, payload, done) => {
    // The adapter omits the type when it refuses a request.
    if (
      payload instanceof Response &&
      /^text\/plain/.test(payload.headers.get('content-type') ?? '')
    ) {
      payload.headers.set('content-type', 'application/json')
    }
    done(null, payload)
  })
}
