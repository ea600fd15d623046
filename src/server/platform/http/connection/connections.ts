import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { networkOf } from '../../request/client-address.ts'
import { createProxyCheck } from '../../request/trusted-proxies.ts'
import { refuseAtOnce } from '../plain-text-error.ts'

/** Far more than the browsers of a household or of friends at a table open together. */
const CONNECTIONS_MAX = 500
/** What is said of a stop, to whoever asks meanwhile. */
export const STOPPING_TEXT = 'The site is stopping. Please try again in a moment.'
/** Requests that wait for those before them on a connection; browsers send none so. */
const WAITING_MAX = 100

/**
 * Keeps one address from taking all the connections there are: more than 500 at once from it are refused.
 * A trusted proxy, through which everybody comes, has as many as it likes.
 */
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
 * Bounds what one connection may ask for: who sends more than 100 requests without waiting for answers is
 * cut off, and so is who takes nothing of what waits for them for as long as the server's `timeout` says.
 * One that only has to wait, as for an upload's completion or for news, is waited with. To be called before
 * other hooks, so that no request is answered before it is counted.
 */
export function limitRequests(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const response = reply.raw
    // It has a socket of its own once all before it were answered.
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

/** Once the server closes, refuses in words what still comes on connections that are open; the framework does it in JSON. */
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

/** Once the server drains, has clients and proxies open no further request on the connections that they have. */
export function closeWhileDraining(app: FastifyInstance, draining: AbortSignal): void {
  app.addHook('onRequest', (_, reply, done) => {
    // On the response itself, so that what is not sent by the framework has it, too.
    if (draining.aborted) reply.raw.setHeader('connection', 'close')
    done()
  })
}

function endStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
