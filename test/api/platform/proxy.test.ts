import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '#test/support/free-port.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const HOST = 'clips.example.org'
const hasTools = ['nginx', 'openssl'].every((name) => !spawnSync(name, ['version']).error)

/** The configuration of docs/security.md, to the letter but for ports, certificate and folder. */
async function startNginx(folder: string, server: ServerProcess) {
  const text = await readFile(join(ROOT, 'docs', 'security.md'), 'utf8')
  const sites = /```nginx\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
  const [port, plainPort] = [await findFreePort(), await findFreePort()]
  const filled = sites
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replace(/ssl_certificate\s+\S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key\s+\S+;/, `ssl_certificate_key ${key};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${server.port}`)
    .replace('/srv/clutch/data', server.dataFolder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr warn;
    events {} http { access_log off; ${temporary}\n${filled} }`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', configuration], { stdio: 'ignore' })
  const ca = await readFile(certificate)
  return { child, ca, port, plainPort }
}

test.skipIf(!hasTools)('the site works behind nginx as docs/security.md sets it up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-nginx-'))
  const env = { PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXY: '127.0.0.1', RATE_LIMIT_SCALE: '1' }
  const server = await startServer({ env })
  const { child, ca, port, plainPort } = await startNginx(folder, server)

  type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
  type Received = { status: number; headers: Record<string, unknown>; body: string }
  const ask = (path: string, { body, ...sent }: Sent = {}) =>
    new Promise<Received>((resolve, reject) => {
      const headers = { host: HOST, ...sent.headers }
      const options = { host: '127.0.0.1', port, servername: HOST, ca, path, agent: false as const }
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
    const plain = await fetch(`http://127.0.0.1:${plainPort}/video/1?t=5`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      301,
      'https://127.0.0.1/video/1?t=5',
    ])

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
    const direct = await ask('/clutch-media/secret.txt')
    expect([direct.status, direct.body.includes('secret')]).toEqual([404, false])
  } finally {
    child.kill('SIGKILL')
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
})
