import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that passes each request to the next of several servers, as many do by default. */
export async function startChangingProxy(given: string[]) {
  let origins = given
  let count = 0
  const server = createServer((asked, answer) => {
    const origin = origins[count++ % origins.length]
    const { method, headers, url } = asked
    const passed = request(`${origin}${url}`, { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    passed.on('error', () => answer.headersSent || answer.writeHead(502).end())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on it passes requests to these. */
    leadTo(next: string[]): void {
      origins = next
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
