import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Connections whose request may take longer to arrive than others. */
const patient = new WeakSet<Socket>()

/** Lets a request with a large file take its time, for as long as something arrives now and then. */
export function allowSlowBody(request: FastifyRequest, idleMs: number) {
  const { socket } = request.raw
  patient.add(socket)
  const timer = setTimeout(() => socket.destroy(), idleMs)
  return {
    /** Something has arrived. */
    goOn: () => void timer.refresh(),
    /** All of it has arrived, or will not. */
    end(): void {
      clearTimeout(timer)
      patient.delete(socket)
    },
  }
}

/** Whether the server's own limit of time does not hold for a connection's request. */
export function isPatient(socket: Socket): boolean {
  return patient.has(socket)
}
