import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { TestSite } from './test-site.ts'

export type Asked = { status: number; headers: [string, string][]; body: Buffer }

const OF_EACH_ANSWER = ['date', 'x-request-id']

/** Lets the site's own server listen, as answers from memory are sent before the framework is asked. */
export async function listen({ app }: TestSite): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Asks over a connection of its own; the headers are as they came, but for the time and the request's name. */
export async function askServer(
  port: number,
  path: string,
  given: Record<string, string | undefined> = {},
): Promise<Asked> {
  const headers = { connection: 'close', ...given }
  const asking = request({ host: '127.0.0.1', port, path, headers }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const raw = response.rawHeaders
  const pairs = raw.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]] as [string, string]] : [],
  )
  return {
    status: response.statusCode ?? 0,
    headers: pairs.filter(([name]) => !OF_EACH_ANSWER.includes(name)).sort(),
    body: Buffer.concat(chunks),
  }
}

export function headerOf({ headers }: Asked, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1]
}

/** How many requests the framework was given since the first call, in this process. */
export function countHandled(): () => number {
  let handled = 0
  subscribe('tracing:fastify.request.handler:start', () => {
    handled += 1
  })
  return () => handled
}

/** Sends `text` as it is, and answers all that comes back until the server hangs up. */
export async function sayRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(text, 'latin1')
  let heard = ''
  for await (const part of socket) heard += part
  return heard
}
