import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * libuv accepts one connection per turn and socket (libuv 3696): hundreds of browsers would wait
 * during a transcode. See docs/decisions/0028-connections.md.
 */
const LISTENERS = 16
/** Per socket. Rejected clients retry after 1, 3, 7 and 15 s. */
const BACKLOG = 1024

type Listeners = {
  close: () => Promise<void>
}

/** @throws EADDRINUSE also when a server like this has the port */
export async function listen(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<Listeners> {
  const isShared = process.platform === 'linux'
  const address = { port: isShared ? await findPort({ port, host }) : port, host, backlog: BACKLOG }
  await app.listen({
    ...address,
    ...(isShared && { reusePort: true }),
    listenTextResolver: (text) => `listening on ${text}`,
  })
  const further: Server[] = []
  for (let count = 1; isShared && count < LISTENERS; count++) {
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    server.on('connection', (socket) => app.server.emit('connection', socket))
    further.push(server)
    server.listen({ ...address, reusePort: true })
    await once(server, 'listening')
  }
  return {
    async close() {
      await Promise.all(further.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

/** Binds exclusively first: shared binds succeed beside others. */
async function findPort(wanted: { port: number; host: string }): Promise<number> {
  const probe = createServer().listen(wanted)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : wanted.port
}
