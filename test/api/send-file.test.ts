import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeFile } from '#server/media/open-files.ts'
import { areBuffersScarce } from '#server/media/read-buffers.ts'
import { sendFile } from '#server/media/send-file.ts'
import { findSystemSendfile, type SystemSendfile } from '#server/media/system-sendfile.ts'
import { askAndStall, getRequest } from '../support/stalled-client.ts'
import { countOpenFiles } from '../torture/clients/open-files.ts'

const BYTES = randomBytes(24 * 1024 * 1024)
/** More than what systems take in for a client that does not read. */
const ENDLESS_BYTES = 1024 ** 3
const STALLED = 140
const PATIENCE = { timeout: 30_000, interval: 50 }
const isLinux = process.platform === 'linux'
const hasSendfile = isLinux && ['x64', 'arm64'].includes(process.arch)

let folder: string
let sendfile: SystemSendfile | undefined
let server: Server
let port: number
let isBySystem = false

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-test-'))
  await writeFile(join(folder, 'random'), BYTES)
  await writeFile(join(folder, 'endless'), '')
  await truncate(join(folder, 'endless'), ENDLESS_BYTES)
  server = createServer(async (request, response) => {
    const file = await takeFile(join(folder, request.url ?? ''))
    if (!file) {
      response.writeHead(404).end()
      return
    }
    const [, start = '0', end = file.size - 1] =
      /=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
    const range = { start: Number(start), end: Number(end) }
    response.writeHead(200, { 'content-length': range.end - range.start + 1 })
    sendFile(response, { file, range }, isBySystem ? sendfile : undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function fetchRange(path: string, start: number, end: number): Promise<Buffer> {
  const headers = { range: `bytes=${start}-${end}` }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return Buffer.from(await answer.arrayBuffer())
}

const descriptors = () => countOpenFiles(process.pid, folder)

test.runIf(hasSendfile)("the kernel's sendfile is there", async () => {
  await expect.poll(findSystemSendfile, PATIENCE).toBeDefined()
  sendfile = findSystemSendfile()
})

test.runIf(hasSendfile)(
  "never reaches another connection that has an ended one's number",
  async () => {
    const accepted: Socket[] = []
    const listener = createNetServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address() as AddressInfo
    const openOne = async () => {
      const socket = connect(address.port, '127.0.0.1')
      await expect.poll(() => accepted.length, PATIENCE).toBeGreaterThan(0)
      return { socket, ofServer: accepted.pop() as Socket }
    }
    const first = await openOne()
    const connection = sendfile?.connect(first.ofServer)
    first.ofServer.destroy()
    await once(first.ofServer, 'close')
    const others = await Promise.all(Array.from({ length: 20 }, openOne))
    const file = await takeFile(join(folder, 'random'))
    const from = { fd: file?.handle.fd ?? -1, position: 0, length: 1000 }
    const moved = await new Promise((resolve) => connection?.move(from, resolve))
    const ends = others.flatMap(({ socket, ofServer }) => [socket, ofServer])
    for (const end of ends) end.end('own')
    const received = await Promise.all(ends.map((end) => text(end)))
    connection?.close()
    file?.release()
    listener.close()
    first.socket.destroy()
    expect({ moved, received: new Set(received) }).toEqual({
      moved: 1000,
      received: new Set(['own']),
    })
  },
)

describe.each([
  ...(hasSendfile ? [['the kernel', true] as const] : []),
  ['reading and writing', false] as const,
])('files sent by %s', (_, bySystem) => {
  beforeAll(() => {
    isBySystem = bySystem
  })

  test('come as they are, whole and in parts, to many at the same time', async () => {
    expect(digest(await fetchRange('/random', 0, BYTES.length - 1))).toBe(digest(BYTES))
    const lengths = [0, 1, 65_535, 700_000, 60_000]
    const parts = Array.from({ length: 60 }, (_, index) => {
      const start = index * 397_001
      return { start, end: start + (lengths[index % lengths.length] ?? 0) }
    })
    await Promise.all(
      parts.map(async ({ start, end }) => {
        const part = await fetchRange('/random', start, end)
        expect(part.equals(BYTES.subarray(start, end + 1))).toBe(true)
      }),
    )
  })

  test('come whole to who reads slowly', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.write(getRequest('/random'))
    const pieces: string[] = []
    let length = 0
    let head = -1
    for await (const piece of socket) {
      pieces.push(piece)
      length += piece.length
      if (head < 0) head = piece.indexOf('\r\n\r\n') + 4
      if (length === head + BYTES.length) break
      if (pieces.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const bytes = Buffer.from(pieces.join('').slice(head), 'latin1')
    expect(digest(bytes)).toBe(digest(BYTES))
  })

  test('keep to their own connection when others end and begin meanwhile', async () => {
    let isOver = false
    const leaving = Array.from({ length: 8 }, async (_, index) => {
      while (!isOver) {
        const socket = await askAndStall(port, getRequest('/endless'))
        await new Promise((resolve) => setTimeout(resolve, index % 4))
        socket.destroy()
      }
    })
    for (let start = 0; start < 20_000_000; start += 500_000) {
      const parts = [start, start + 100, start + 2_000_000]
      const got = await Promise.all(
        parts.map((from) => fetchRange('/random', from, from + 999_999)),
      )
      for (const [index, from] of parts.entries()) {
        expect(got[index]?.equals(BYTES.subarray(from, from + 1_000_000))).toBe(true)
      }
    }
    isOver = true
    await Promise.all(leaving)
  })

  test('have no hole when the server gives up a connection that takes no more', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      const pieces: Buffer[] = []
      socket.write(getRequest('/random'))
      await once(socket, 'readable')
      await new Promise((resolve) => setTimeout(resolve, 50))
      // So much room that the kernel takes more, too little for the system to say so.
      for (let taken = 0; taken < 300_000; ) {
        const piece: Buffer | null = socket.read()
        if (!piece) break
        pieces.push(piece)
        taken += piece.length
      }
      server.closeAllConnections()
      for await (const piece of socket) pieces.push(piece)
      const all = Buffer.concat(pieces)
      const body = all.subarray(all.indexOf('\r\n\r\n') + 4)
      expect(body.equals(BYTES.subarray(0, body.length))).toBe(true)
      expect(body.length).toBeLessThan(BYTES.length)
    }
  })

  test('end with the file when it is shorter than it was', async () => {
    const path = join(folder, 'short')
    await writeFile(path, BYTES)
    expect((await fetchRange('/short', 0, 9)).length).toBe(10)
    await truncate(path, 1000)
    await expect(fetchRange('/short', 0, BYTES.length - 1)).rejects.toThrow()
  })

  test.runIf(isLinux)('leave nothing behind with clients that read nothing and go', async () => {
    const before = await descriptors()
    for (let turn = 0; turn < 50; turn++) await fetchRange('/random', turn, 300_000)
    const stalled = await Promise.all(
      Array.from({ length: STALLED }, (_, index) =>
        askAndStall(port, getRequest('/endless').repeat(index % 2 === 0 ? 1 : 3)),
      ),
    )
    if (bySystem) expect(areBuffersScarce()).toBe(false)
    else await expect.poll(areBuffersScarce, PATIENCE).toBe(true)
    const part = await fetchRange('/random', 7, 999_999)
    expect(digest(part)).toBe(digest(BYTES.subarray(7, 1_000_000)))
    for (const socket of stalled) socket.destroy()
    await expect.poll(areBuffersScarce, PATIENCE).toBe(false)
    await expect.poll(async () => (await descriptors()).files, PATIENCE).toBe(0)
    const { sockets } = before
    await expect
      .poll(async () => (await descriptors()).sockets, PATIENCE)
      .toBeLessThanOrEqual(sockets + 2)
  })
})
