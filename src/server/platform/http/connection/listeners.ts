import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * The event loop takes one new connection a turn from each listening socket (libuv 3696). While a transcode holds
 * the processors, turns are long, and some hundred browsers that come at once would wait their turn for seconds.
 * See docs/decisions/0028-connections.md.
 */
const LISTENERS = 16
/**
 * Connections that the system keeps for each while the server is busy. One beyond them tries again after 1, 3, 7
 * and 15 s.
 */
const BACKLOG = 1024

type Listeners = {
  /** Takes no more connections; resolves when the last one has ended. */
  close: () => Promise<void>
}

/**
 * Listens with several sockets on one port, where the system shares connections out among such.
 * @throws what listening throws: EADDRINUSE when anyone, another such server included, has the port
 */
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
    // As `http` makes its own.
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

/** A port that is to be shared is given to anyone who shares theirs: so it is asked for alone first. */
async function findPort(wanted: { port: number; host: string }): Promise<number> {
  const probe = createServer().listen(wanted)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : wanted.port
}
