import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { initialize } from '#test/support/upload-client.ts'

const FILE_HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'
const END = '\r\n--b--\r\n'
const BYTES = Buffer.alloc(8 * 1024 * 1024)
const LENGTH = FILE_HEAD.length + BYTES.length + END.length
const HALF = BYTES.subarray(0, BYTES.length / 2)

const site = setUpTestSite()
const { ann } = setUpFileMembers(site, ['ann'])
/** Has as many unfinished uploads as one may have. */
let port: number
beforeAll(async () => {
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4']) {
    await initialize({ site, as: ann }, { name, size: 100 })
  }
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
})

const headersOf = (as: TestMember | undefined) => ({
  'Content-Type': 'multipart/form-data; boundary=b',
  'Content-Length': String(LENGTH),
  ...(as && { Cookie: as.cookie }),
})

/** Sends half of a form with a file on a connection of its own. */
function sendHalf(path: string, as: TestMember | undefined): Socket {
  const socket = connect(port, '127.0.0.1')
  const headers = Object.entries({ Host: 'localhost', ...headersOf(as) })
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${FILE_HEAD}`)
  socket.write(HALF)
  return socket
}

test.each([
  ['/api/uploads/file', 429, () => ann],
  ['/api/uploads/file', 401, () => undefined],
  ['/api/settings/avatar', 413, () => ann],
])(
  'a form to %s that is refused with %i is answered at once, and heard to its end',
  async (path, status, as) => {
    const socket = sendHalf(path, as())
    let text = ''
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
    await until(() => /\r\n\r\n.+\.$/s.test(text))
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).toMatch(/\r\nconnection: close\r\n/i)
    expect(socket.closed).toBe(false)
    const closed = once(socket, 'close')
    socket.write(HALF)
    socket.write(END)
    expect(await closed).toEqual([false])
  },
)

test('who was refused asks on without sending the rest', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const options = { host: '127.0.0.1', port, agent }
  const upload = request({
    ...{ ...options, method: 'POST', path: '/api/uploads/file' },
    headers: headersOf(ann),
  })
  upload.on('error', () => {})
  upload.write(FILE_HEAD)
  upload.write(HALF)
  const [refused] = (await once(upload, 'response')) as [IncomingMessage]
  expect(refused.statusCode).toBe(429)
  await once(refused.resume(), 'end')
  const [next] = (await once(get({ ...options, path: '/api/health' }), 'response')) as [
    IncomingMessage,
  ]
  expect(next.statusCode).toBe(200)
  await once(next.resume(), 'end')
  agent.destroy()
}, 20_000)
