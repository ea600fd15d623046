import { connect } from 'node:net'

const RANGE_BYTES = 1024 * 1024
const RECEIVE_BYTES = 256 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Asks for random ranges of 1 MiB of a file for some seconds, each connection one after the other.
 * It reads the sockets itself: an HTTP client would cost more than some servers do.
 * @returns megabytes per second, bodies only
 */
export async function loadRanges(
  file: { port: number; path: string; bytes: number },
  options: { connections: number; seconds: number },
): Promise<number> {
  const began = performance.now()
  const until = began + options.seconds * 1000
  const clients = Array.from({ length: options.connections }, () => readUntil(file, until))
  const received = await Promise.all(clients)
  const seconds = (performance.now() - began) / 1000
  return received.reduce((sum, bytes) => sum + bytes, 0) / 1024 / 1024 / seconds
}

function readUntil(
  file: { port: number; path: string; bytes: number },
  until: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0
    let left = 0
    const ask = () => {
      const start = Math.floor(Math.random() * (file.bytes - RANGE_BYTES))
      const range = `bytes=${start}-${start + RANGE_BYTES - 1}`
      socket.write(`GET ${file.path} HTTP/1.1\r\nHost: localhost\r\nRange: ${range}\r\n\r\n`)
    }
    const take = (bytes: Buffer) => {
      const isHead = left === 0
      if (isHead && !bytes.subarray(0, 12).equals(Buffer.from('HTTP/1.1 206'))) {
        socket.destroy(new Error(`${file.path} answers ${bytes.subarray(9, 12)}.`))
        return
      }
      const body = isHead ? bytes.length - bytes.indexOf(HEAD_END) - HEAD_END.length : bytes.length
      left = (isHead ? RANGE_BYTES : left) - body
      received += body
      if (left > 0) return
      if (performance.now() < until) ask()
      else socket.destroy()
    }
    const socket = connect({
      port: file.port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.alloc(RECEIVE_BYTES),
        callback: (length, buffer) => {
          take(Buffer.from(buffer.buffer, buffer.byteOffset, length))
          return true
        },
      },
    })
    socket.on('connect', ask).on('error', reject)
    socket.on('close', () => resolve(received))
  })
}
