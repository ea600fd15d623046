import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const LOOK_MS = 500
/** One that does not even say whether it is ready by then is left out. */
const READY_MS = 1000

/**
 * A proxy that gives each request to the next of several servers, and to another one when that takes no connection. What
 * was sent to one that then dies has no answer, as with any proxy.
 * @param options.looks whether it leaves out those that do not say that they are ready
 */
export async function startBalancer(given: readonly string[], options: { looks?: boolean } = {}) {
  let origins = given
  let ready = given
  let turn = 0
  const agent = new http.Agent({ keepAlive: true })
  const look = async () => {
    const asked = origins
    const found = await Promise.all(asked.map(isReady))
    if (asked === origins) ready = asked.filter((_, index) => found[index])
  }
  const timer = options.looks && setInterval(() => void look(), LOOK_MS)

  function pass(request: IncomingMessage, response: ServerResponse, left: string[]): void {
    const [origin, ...others] = left
    if (origin === undefined) {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' })
      response.end('The server is away. Please try again in a moment.')
      return
    }
    const { method, url } = request
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress }
    const inner = http.request(origin + url, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    inner.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') pass(request, response, others)
      else response.destroy()
    })
    response.on('close', () => inner.destroy())
    inner.on('socket', (socket) => {
      const send = () => request.pipe(inner)
      if (socket.connecting) socket.once('connect', send)
      else send()
    })
  }

  const server = http.createServer((request, response) => {
    turn += 1
    const order = ready.map((_, index) => ready[(turn + index) % ready.length] as string)
    pass(request, response, order)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listReady: (): readonly string[] => ready,
    /** From now on it gives requests to these. */
    leadTo(next: readonly string[]): void {
      origins = next
      ready = next
    },
    async stop(): Promise<void> {
      if (timer) clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}

async function isReady(origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_MS)
  const answer = await fetch(`${origin}/api/ready`, { signal }).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => undefined)
  return answer?.ok ?? false
}
