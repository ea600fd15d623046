import type { FastifyRequest } from 'fastify'

/**
 * True when the request came over loopback and carries no sign of a proxy: only then does it come
 * from somebody at this machine.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? ''
  const loopback = address === '::1' || /^(::ffff:)?127\./.test(address)
  const { headers } = request
  const forwarded = headers.forwarded ?? headers['x-forwarded-for'] ?? headers['x-real-ip']
  return loopback && forwarded === undefined
}
