import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { networkOf } from '../../request/client-address.ts'
import { createProxyCheck } from '../../request/trusted-proxies.ts'
import { refuseAtOnce } from '../plain-text-error.ts'

/** Far more than a household opens. */
const CONNECTIONS_MAX = 500
export const STOPPING_TEXT = 'The site is stopping. Please try again in a moment.'
/** Pipelined; browsers send none. */
const WAITING_MAX = 100

/** Per address, except trusted proxies. */
export function limitConnections(
  app: FastifyInstance,
  { trustedProxies, rateLimitScale }: Pick<Config, 'trustedProxies' | 'rateLimitScale'>,
): void {
  const max = Math.max(1, Math.floor(CONNECTIONS_MAX * rateLimitScale))
  const isProxy = createProxyCheck(trustedProxies)
  const open = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const count = open.get(network) ?? 0
    if (count >= max) {
      refuseAtOnce(socket, 429)
      return
    }
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

/**
 * Ends connections with over 100 unanswered requests, or whose client reads nothing for the
 * server's `timeout`. Call before other hooks, to count every request.
 */
export function limitRequests(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const response = reply.raw
    // A queued response has no socket.
    if (!response.socket && !socket.destroyed) {
      const count = (waiting.get(socket) ?? 0) + 1
      waiting.set(socket, count)
      if (count > WAITING_MAX) socket.destroy()
      response.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    }
    if (socket.destroyed) {
      reply.hijack()
      return
    }
    response.on('timeout', endStalled)
    done()
  })
}

/** In plain text; the framework would answer JSON. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onRequest', (_, __, done) => {
    if (!isClosing) return done()
    done(new AppError('busy', STOPPING_TEXT, { retryAfterSeconds: 5 }))
  })
}

export function closeWhileDraining(app: FastifyInstance, draining: AbortSignal): void {
  app.addHook('onRequest', (_, reply, done) => {
    // Also for answers outside the framework.
    if (draining.aborted) reply.raw.setHeader('connection', 'close')
    done()
  })
}

function endStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
