import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { parseByteRange } from '#server/platform/files/byte-range.ts'
import { type Exchange, passOn, sendBack, startLocalServer } from './proxy.ts'

type Site = { port: number; prefix: string; mediaFolder: string }

/** Does with X-Accel-Redirect what nginx does: the bytes come from the folder, the headers from the site. */
export async function startAccelProxy(site: Site) {
  /** Values of the header that the site has sent. */
  const redirects: string[] = []
  const server = await startLocalServer((exchange) =>
    passOn(exchange, `http://127.0.0.1:${site.port}`, {
      headers: { 'x-forwarded-for': '192.0.2.7' },
      answer(answer) {
        const redirect = answer.headers['x-accel-redirect']
        if (typeof redirect !== 'string') return sendBack(answer, exchange.response)
        redirects.push(redirect)
        answer.resume()
        return sendFile(site, { ...exchange, redirect, answer })
      },
    }),
  )
  return { ...server, redirects }
}

async function sendFile(
  site: Site,
  exchange: Exchange & { redirect: string; answer: IncomingMessage },
): Promise<void> {
  const { redirect, answer, asked, response } = exchange
  if (!redirect.startsWith(`${site.prefix}/`)) throw new Error('It leads elsewhere.')
  const path = join(site.mediaFolder, decodeURIComponent(redirect.slice(site.prefix.length + 1)))
  const bytes = await readFile(path)
  const range = parseByteRange(asked.headers.range, bytes.length)
  const part = typeof range === 'object' ? bytes.subarray(range.start, range.end + 1) : bytes
  response.writeHead(typeof range === 'object' ? 206 : 200, {
    'content-type': answer.headers['content-type'],
    'cache-control': answer.headers['cache-control'],
    'content-length': part.length,
  })
  response.end(asked.method === 'HEAD' ? undefined : part)
}
