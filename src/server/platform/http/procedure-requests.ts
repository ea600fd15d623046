import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { sendFailure } from './plain-text-error.ts'

const FORM = /^\s*multipart\//i

/** What tRPC's adapter would take, break on or answer wrongly, below `/trpc/`. */
export function registerProcedureRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.url?.startsWith('/trpc/')) return
    // It makes a Request of what came, and there is none of this method.
    if (request.method === 'TRACE') {
      return sendFailure(reply, { status: 405, message: 'This call does not take that method.' })
    }
    // It would read a form of any size.
    if (FORM.test(request.headers['content-type'] ?? '')) {
      throw new AppError('unsupported', 'Send this as application/json.')
    }
  })

  app.addHook('onSend', (_, __, payload, done) => {
    // It writes its errors as JSON, but where it refuses a whole request it does not say so.
    if (
      payload instanceof Response &&
      /^text\/plain/.test(payload.headers.get('content-type') ?? '')
    ) {
      payload.headers.set('content-type', 'application/json')
    }
    done(null, payload)
  })
}
