import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, expect } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { until } from '#test/support/until.ts'

const MIB = 1024 * 1024
const CHUNKS = 40
/** How many chunks of one member are read side by side. */
const AT_A_TIME = 4
const BYTES = Buffer.alloc(UPLOAD_CHUNK_BYTES)

const site = setUpTestSite()
const { ask } = callsOf(site)
const { ann } = setUpFileMembers(site, ['ann'])
let port: number
beforeAll(async () => {
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
})

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const FILE_HEAD =
  '--b\r\nContent-Disposition: form-data; name="chunk"; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n'
const END = '\r\n--b--\r\n'

/** Begins to send a chunk, up to the first of its bytes. */
function beginChunk(uploadId: string, chunkIndex: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const fields =
    field('uploadId', uploadId) +
    field('chunkIndex', `${chunkIndex}`) +
    field('totalChunks', `${CHUNKS}`)
  const length = fields.length + FILE_HEAD.length + BYTES.length + END.length
  const head = [
    'POST /api/uploads/chunk HTTP/1.1',
    ...['Host: localhost', 'Connection: close', `Cookie: ${ann.cookie}`],
    ...['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${length}`],
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${fields}${FILE_HEAD}`)
  return socket
}

async function readAnswer(socket: Socket): Promise<string> {
  let text = ''
  for await (const piece of socket.setEncoding('utf8')) text += piece
  return text
}

longTest(
  'one who sends many chunks side by side has few of them held in memory, and all stored',
  async () => {
    const { uploadId } = await ask<{ uploadId: string }>(ann, 'upload.initialize', {
      ...{ fileName: 'a.mp4', fileSize: CHUNKS * BYTES.length, metadata: { title: 'Clip' } },
    })
    const arrived: Socket[] = []
    site.app.server.on('connection', (socket) => arrived.push(socket))
    const before = process.memoryUsage().external
    const sockets = Array.from({ length: CHUNKS }, (_, index) => beginChunk(uploadId, index))
    const rest = BYTES.length - 1000
    for (const socket of sockets) socket.write(BYTES.subarray(0, rest))
    await until(() => arrived.length === CHUNKS && arrived.every((one) => one.bytesRead > 0))
    // As soon as these have been read, any other that were not held back would be in memory too.
    await until(() => arrived.filter((one) => one.bytesRead >= rest).length >= AT_A_TIME)
    expect(process.memoryUsage().external - before).toBeLessThan(40 * MIB)
    const answers = sockets.map((socket) => {
      socket.write(BYTES.subarray(rest))
      socket.write(END)
      return readAnswer(socket)
    })
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  },
  60_000,
)
