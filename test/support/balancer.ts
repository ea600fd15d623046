import { Agent } from 'node:http'
import { type Exchange, passOn, startLocalServer } from './proxy.ts'

const LOOK_MS = 500
/** A server that has not said by then whether it is ready gets no requests. */
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
  const agent = new Agent({ keepAlive: true })
  const look = async () => {
    const asked = origins
    const found = await Promise.all(asked.map(isReady))
    if (asked === origins) ready = asked.filter((_, index) => found[index])
  }
  const timer = options.looks && setInterval(() => void look(), LOOK_MS)

  function pass(exchange: Exchange, left: string[]): void {
    const { asked, response } = exchange
    const [origin, ...others] = left
    if (origin === undefined) {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' })
      response.end('The server is away. Please try again in a moment.')
      return
    }
    passOn(exchange, origin, {
      agent,
      headers: { 'x-forwarded-for': asked.socket.remoteAddress },
      fail: ({ code }) => (code === 'ECONNREFUSED' ? pass(exchange, others) : response.destroy()),
    })
  }

  const server = await startLocalServer((exchange) => {
    turn += 1
    const order = ready.map((_, index) => ready[(turn + index) % ready.length] as string)
    pass(exchange, order)
  })
  return {
    origin: server.origin,
    listReady: (): readonly string[] => ready,
    /** From now on it gives requests to these. */
    leadTo(next: readonly string[]): void {
      origins = next
      ready = next
    },
    async stop(): Promise<void> {
      if (timer) clearInterval(timer)
      await server.stop()
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
