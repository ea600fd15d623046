import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Exempt from the request timeout. */
const patient = new WeakSet<Socket>()

/** An idle limit instead of the request timeout. */
export function allowSlowBody(request: FastifyRequest, idleMs: number) {
  const { socket } = request.raw
  patient.add(socket)
  const timer = setTimeout(() => socket.destroy(), idleMs)
  return {
    extend: () => void timer.refresh(),
    end(): void {
      clearTimeout(timer)
      patient.delete(socket)
    },
  }
}

export function isPatient(socket: Socket): boolean {
  return patient.has(socket)
}
