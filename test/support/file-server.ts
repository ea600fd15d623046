import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FileServer = Awaited<ReturnType<typeof startFileServer>>

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server on this machine that answers by path and notes what it is asked. */
export async function startFileServer(answers: Record<string, Answer>) {
  const asked: { url: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    asked.push({ url, headers })
    const answer = answers[url.split('?')[0] ?? '']
    if (answer) answer(request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ asked, answers },
    origin: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** Answers range requests. `breaksAfter` ends the first connections after that many bytes. */
export function serveBytes(
  bytes: Buffer,
  { type = 'video/mp4', breaks = 0, breaksAfter = 0, etag = '"one"' } = {},
): Answer {
  let broken = 0
  return ({ headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
    const start = from !== undefined && isSame ? Number(from) : 0
    const end = from !== undefined && isSame && to ? Number(to) + 1 : bytes.length
    const part = bytes.subarray(start, end)
    const isPart = from !== undefined && isSame
    response.writeHead(isPart ? 206 : 200, {
      ...{ 'content-type': type, 'content-length': part.length, etag },
      ...(isPart && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
    })
    if (part.length > breaksAfter && broken < breaks) {
      broken++
      response.write(part.subarray(0, breaksAfter), () => response.destroy())
    } else response.end(part)
  }
}
