import { readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { writeLaterVersion } from '#test/support/later-version.ts'
import { longTest } from '#test/support/long-form.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { writeSmallSite } from '#test/support/small-site.ts'
import { until } from '#test/support/until.ts'
import { multipart } from '#test/support/upload-client.ts'

const folder = setUpFolder('start')

longTest(
  'whoever asks while the database is updated hears so, and then the site answers on the same port',
  async () => {
    const dataFolder = join(folder, 'site')
    await writeSmallSite(dataFolder)
    const root = await writeLaterVersion(folder)
    const held = join(root, 'wait')
    await writeFile(held, '')
    const port = await findFreePort()
    const starting = startServer({ dataFolder, port, root })
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)

    await until(async () => (await ask('/api/ready')) !== undefined)
    for (const path of ['/api/ready', '/video/1', '/api/health']) {
      const one = await ask(path)
      expect([one?.status, await one?.text()]).toEqual([
        503,
        'The site is being updated. Please try again in a moment.',
      ])
      expect(one?.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(one?.headers.get('retry-after')).toBe('5')
      expect(one?.headers.get('x-content-type-options')).toBe('nosniff')
    }
    await rm(held)
    const server = await starting
    await until(async () => (await ask('/api/ready'))?.status === 200)
    expect((await ask('/api/videos/1'))?.status).toBe(200)
    expect(await server.stop()).toBe(0)
  },
)

test('a server that stops is not ready at once, while it finishes what it is asked', async () => {
  const server = await startServer({ env: { LOG_LEVEL: 'info' } })
  const account = { username: 'ann', displayName: 'Ann', email: 'ann@example.org' }
  const registered = await fetch(`${server.origin}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, password: 'correct horse' }),
  })
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const path = await makeClip({ path: join(folder, 'clip.mp4'), seconds: 2 })
  const form = multipart({ file: await readFile(path) })
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  const head = [
    'POST /api/uploads/file HTTP/1.1',
    'Host: a',
    `Cookie: ${cookie}`,
    `Content-Type: ${form.headers['content-type']}`,
    `Content-Length: ${form.payload.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(form.payload)
  await until(async () => (await listMediaProcesses(server.pid)).length > 0)
  const exitCode = server.stop('SIGTERM')
  await until(() => server.output.join('').includes('"msg":"stopping"'))
  socket.write(
    'GET /api/ready HTTP/1.1\r\nHost: a\r\n\r\nGET /api/videos HTTP/1.1\r\nHost: a\r\n\r\n',
  )
  expect(await exitCode).toBe(0)
  await until(() => socket.closed)
  expect(text).toMatch(/^HTTP\/1\.1 201 .*"videoId":1/s)
  const [, ready = ''] = text.split(/(?=HTTP\/1\.1 503 )/)
  expect(ready).toMatch(/content-type: text\/plain; charset=utf-8/i)
  expect(ready).toContain('The site is stopping. Please try again in a moment.')
  await server.remove()
})
