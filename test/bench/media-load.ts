import { connect } from 'node:net'

const MEBIBYTE = 1024 * 1024
const RANGE_BYTES = MEBIBYTE
const RECEIVE_BYTES = 256 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')

export type MediaLoad = {
  port: number
  path: string
  /** Length of the whole file. */
  bytes: number
  /** The whole file, or random ranges of 1 MiB of it. */
  part: 'whole' | 'ranges'
  connections: number
  seconds: number
}

/**
 * Asks for parts of a file for some seconds, each connection one after the other. It reads the sockets
 * itself: an HTTP client would cost more than some servers do.
 * @returns mebibytes received, bodies only, and how long that took
 */
export async function loadMedia(load: MediaLoad): Promise<{ mebibytes: number; seconds: number }> {
  const began = performance.now()
  const until = began + load.seconds * 1000
  const clients = Array.from({ length: load.connections }, () => readUntil(load, until))
  const received = await Promise.all(clients)
  const seconds = (performance.now() - began) / 1000
  return { mebibytes: received.reduce((sum, bytes) => sum + bytes, 0) / MEBIBYTE, seconds }
}

function readUntil({ port, path, bytes, part }: MediaLoad, until: number): Promise<number> {
  const status = part === 'whole' ? 'HTTP/1.1 200' : 'HTTP/1.1 206'
  const length = part === 'whole' ? bytes : RANGE_BYTES
  const ask = () => {
    const start = Math.floor(Math.random() * (bytes - RANGE_BYTES))
    const range = part === 'whole' ? '' : `Range: bytes=${start}-${start + RANGE_BYTES - 1}\r\n`
    return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${range}\r\n`
  }
  return new Promise((resolve, reject) => {
    let received = 0
    let left = 0
    const take = (count: number, buffer: Uint8Array) => {
      let body = count
      if (left === 0) {
        const head = Buffer.from(buffer.buffer, buffer.byteOffset, count)
        if (head.toString('latin1', 0, status.length) !== status) {
          socket.destroy(new Error(`${path} answers ${head.toString('latin1', 9, 12)}.`))
          return
        }
        body -= head.indexOf(HEAD_END) + HEAD_END.length
        left = length
      }
      left -= body
      received += body
      if (performance.now() >= until) socket.destroy()
      else if (left === 0) socket.write(ask())
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.alloc(RECEIVE_BYTES),
        callback: (bytesRead, buffer) => {
          take(bytesRead, buffer)
          return true
        },
      },
    })
    socket.on('connect', () => socket.write(ask())).on('error', reject)
    socket.on('close', () => resolve(received))
  })
}
