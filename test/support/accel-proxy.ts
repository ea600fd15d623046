import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseByteRange } from '#server/platform/files/byte-range.ts'

type Site = { port: number; prefix: string; mediaFolder: string }

/** What nginx does with X-Accel-Redirect, in small: the bytes come from the folder, the headers from the site. */
export async function startAccelProxy(site: Site) {
  /** What the site instructed the proxy to send, and who asked the site. */
  const redirects: string[] = []
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.7' }
    const { url: path, method } = incoming
    const asking = request({ port: site.port, path, method, headers }, (answer) => {
      const redirect = answer.headers['x-accel-redirect']
      if (typeof redirect !== 'string') {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        return
      }
      redirects.push(redirect)
      answer.resume()
      sendHanded(site, { redirect, answer, incoming, outgoing }).catch(() => outgoing.destroy())
    })
    incoming.pipe(asking)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    redirects,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

async function sendHanded(
  site: Site,
  exchange: {
    redirect: string
    answer: IncomingMessage
    incoming: IncomingMessage
    outgoing: ServerResponse
  },
): Promise<void> {
  const { redirect, answer, incoming, outgoing } = exchange
  if (!redirect.startsWith(`${site.prefix}/`)) throw new Error('It leads elsewhere.')
  const path = join(site.mediaFolder, decodeURIComponent(redirect.slice(site.prefix.length + 1)))
  const bytes = await readFile(path)
  const range = parseByteRange(incoming.headers.range, bytes.length)
  const part = typeof range === 'object' ? bytes.subarray(range.start, range.end + 1) : bytes
  outgoing.writeHead(typeof range === 'object' ? 206 : 200, {
    'content-type': answer.headers['content-type'],
    'cache-control': answer.headers['cache-control'],
    'content-length': part.length,
  })
  outgoing.end(incoming.method === 'HEAD' ? undefined : part)
}
