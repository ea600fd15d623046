import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncate, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerMedia, openMedia } from '#server/platform/files/media-answer.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { askAndStall, getRequest } from '#test/support/stalled-client.ts'
import { countOpenFiles } from '#test/torture/clients/open-files.ts'

const BYTES = randomBytes(24 * 1024 * 1024)
/** More than what systems take in for a client that does not read. */
const ENDLESS_BYTES = 1024 ** 3
const STALLED = 140
const POLL_OPTIONS = { timeout: 30_000, interval: 50 }
const isLinux = process.platform === 'linux'

const folder = setUpFolder('test')
let server: Server
let port: number

beforeAll(async () => {
  await writeFile(join(folder, 'random'), BYTES)
  await writeFile(join(folder, 'endless'), '')
  await truncate(join(folder, 'endless'), ENDLESS_BYTES)
  server = createServer(async (request, response) => {
    const file = await openMedia(response, join(folder, request.url ?? ''))
    if (file) await answerMedia(response, { file, headers: {} })
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
})

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function fetchRange(path: string, start: number, end: number): Promise<Buffer> {
  const headers = { range: `bytes=${start}-${end}` }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return Buffer.from(await answer.arrayBuffer())
}

const descriptors = () => countOpenFiles(process.pid, folder)

describe('files', () => {
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

  test('end with the file when it becomes shorter', async () => {
    const path = join(folder, 'short')
    await writeFile(path, '')
    await truncate(path, ENDLESS_BYTES)
    const socket = await askAndStall(port, getRequest('/short'))
    await truncate(path, 1000)
    let length = 0
    for await (const piece of socket) length += piece.length
    expect(length).toBeLessThan(ENDLESS_BYTES)
  })

  test.runIf(isLinux)('leave nothing behind with clients that read nothing and go', async () => {
    const before = await descriptors()
    for (let turn = 0; turn < 50; turn++) await fetchRange('/random', turn, 300_000)
    const stalled = await Promise.all(
      Array.from({ length: STALLED }, (_, index) =>
        askAndStall(port, getRequest('/endless').repeat(index % 2 === 0 ? 1 : 3)),
      ),
    )
    const part = await fetchRange('/random', 7, 999_999)
    expect(digest(part)).toBe(digest(BYTES.subarray(7, 1_000_000)))
    for (const socket of stalled) socket.destroy()
    await expect.poll(async () => (await descriptors()).files, POLL_OPTIONS).toBe(0)
    const { sockets } = before
    await expect
      .poll(async () => (await descriptors()).sockets, POLL_OPTIONS)
      .toBeLessThanOrEqual(sockets + 2)
  })
})
