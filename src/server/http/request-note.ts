import type { FastifyRequest } from 'fastify'

/**
 * Something known about each request, for as long as it lives. It is written on the request itself: the
 * keys of a WeakMap, and with them whole answers, outlive all small garbage collections.
 */
export function createRequestNote<Value>(name: string) {
  const key = Symbol(name)
  type Noted = FastifyRequest & { [key]?: Value }
  return {
    get: (request: FastifyRequest): Value | undefined => (request as Noted)[key],
    set(request: FastifyRequest, value: Value): void {
      ;(request as Noted)[key] = value
    },
  }
}
