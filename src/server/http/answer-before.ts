import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Lets `answer` have each request first; what it does not answer goes to the framework. */
export function answerBefore(
  app: FastifyInstance,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const handlers = app.server.listeners('request') as ((...exchange: unknown[]) => void)[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (answer(request, response)) return
    for (const handle of handlers) handle.call(app.server, request, response)
  })
}
