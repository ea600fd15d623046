import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasCaddy, hasNginx, startCaddy, startNginx } from '#test/support/deployed-proxy.ts'
import { startServer } from '#test/support/server-process.ts'

const HOST = 'clips.example.org'

const proxies = [
  { name: 'nginx', start: startNginx, isThere: hasNginx },
  { name: 'Caddy', start: startCaddy, isThere: hasCaddy },
]

test.for(proxies)(
  'the site works behind $name as deploy/ sets it up',
  async ({ start, isThere }, { skip }) => {
    skip(!isThere)
    const env = { PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXY: '127.0.0.1', RATE_LIMIT_SCALE: '1' }
    const server = await startServer({ env })
    const proxy = await start(server)
    const { ca, ports } = proxy
    const { https: port } = ports

    type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
    type Received = { status: number; headers: Record<string, unknown>; body: string }
    const ask = (path: string, { body, ...sent }: Sent = {}) =>
      new Promise<Received>((resolve, reject) => {
        const headers = { host: HOST, ...sent.headers }
        const options = {
          host: '127.0.0.1',
          port,
          servername: HOST,
          ca,
          path,
          agent: false as const,
        }
        const sending = request({ ...options, method: sent.method ?? 'GET', headers }, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part) => {
            text += part
          })
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
          )
        })
        sending.on('error', reject).end(body)
      })
    try {
      await expect
        .poll(() => ask('/api/health').catch((error) => error.message), { timeout: 20_000 })
        .toMatchObject({ status: 200, body: 'ok' })
      const address = { host: '127.0.0.1', port: ports.http, path: '/video/1?t=5' }
      const sending = requestPlain({ ...address, headers: { host: HOST } }).end()
      const [plain] = (await once(sending, 'response')) as [IncomingMessage]
      plain.resume()
      expect([301, 308]).toContain(plain.statusCode)
      expect(plain.headers.location).toMatch(
        /^https:\/\/clips\.example\.org(:\d+)?\/video\/1\?t=5$/,
      )

      const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
        ask(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(payload),
        })
      const ann = { username: 'ann', displayName: 'Ann', email: 'ann@example.org' }
      const own = { origin: `https://${HOST}` }
      const registered = await post('/api/register', { ...ann, password: 'correct horse' }, own)
      // It came from this machine, but through a proxy: anyone can do that.
      expect([registered.status, JSON.parse(registered.body).isAdmin]).toEqual([201, false])
      const [cookie = ''] = registered.headers['set-cookie'] as string[]
      expect(cookie).toMatch(/^__Host-clutch=.*; HttpOnly; Secure; SameSite=Lax$/)
      expect(registered.headers['strict-transport-security']).toMatch(/^max-age=31536000/)
      const headers = { cookie: cookie.split(';')[0] ?? '' }
      expect((await ask('/api/user', { headers })).status).toBe(200)
      const foreign = { ...headers, origin: `http://${HOST}` }
      expect((await post('/api/logout', {}, foreign)).status).toBe(403)

      // A visitor's own word about where they are is dropped: fifteen failures are one address's.
      const statuses: number[] = []
      for (let time = 0; time < 16; time++) {
        const claim = { 'x-forwarded-for': `198.51.100.${time}` }
        const login = { username: `nobody-${time}`, password: 'wrong one' }
        statuses.push((await post('/api/login', login, claim)).status)
      }
      expect(statuses).toEqual([...Array(15).fill(401), 429])

      // A chunk passes, and what is too large is refused by the site, in its own words.
      const large = await ask('/api/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'x'.repeat(70_000) }),
      })
      expect([large.status, large.headers['content-type']]).toEqual([
        413,
        'text/plain; charset=utf-8',
      ])
      const boundary = 'b'
      const form = Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="chunk"; filename="c"\r\n\r\n`,
        ),
        Buffer.alloc(2 * 1024 * 1024),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      const chunk = await ask('/api/uploads/chunk', {
        method: 'POST',
        headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: form,
      })
      expect(chunk.status).toBe(400)
      // Nobody gets at files by nginx's own way to them.
      await writeFile(join(server.dataFolder, 'media', 'secret.txt'), 'secret')
      const direct = await ask('/_media/secret.txt')
      expect([direct.status, direct.body.includes('secret')]).toEqual([404, false])
    } finally {
      await proxy.stop()
      await server.remove()
    }
  },
)
