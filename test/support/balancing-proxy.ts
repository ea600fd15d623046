import { Agent, createServer, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const LOOK_MS = 100

/**
 * What stands before several nodes: requests go in turn to those that `/api/ready` says are ready, over connections that are
 * kept. It tries nothing a second time.
 */
export async function startBalancingProxy(origins: string[]) {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  const answered = new Map(origins.map((origin) => [origin, 0]))
  let turn = 0

  const look = async (origin: string) => {
    if (await isReady(origin)) ready.add(origin)
    else ready.delete(origin)
  }
  const timer = setInterval(() => origins.forEach(look), LOOK_MS)
  const server = createServer((asked, response) => {
    const [origin] = [...ready].slice(turn++ % Math.max(1, ready.size))
    if (origin === undefined) {
      response.writeHead(502).end()
      return
    }
    const fail = () => response.destroy()
    const passed = request(
      origin + asked.url,
      { agent, method: asked.method, headers: asked.headers },
      (answer: IncomingMessage) => {
        const { connection: _, ...headers } = answer.headers
        response.writeHead(answer.statusCode ?? 502, headers)
        answer.on('error', fail).pipe(response)
        answer.on('end', () => answered.set(origin, (answered.get(origin) ?? 0) + 1))
      },
    )
    asked.pipe(passed.on('error', fail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listReady: () => [...ready].sort(),
    countAnswered: (origin: string) => answered.get(origin) ?? 0,
    async stop(): Promise<void> {
      clearInterval(timer)
      agent.destroy()
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
    },
  }
}

function isReady(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${origin}/api/ready`, { agent: false, timeout: 2000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
      .on('timeout', () => resolve(false))
      .on('error', () => resolve(false))
  })
}
