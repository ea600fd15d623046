/** Sends a file that is open already, or ranges of it, with nothing in between: the most that Node does. */
import { fstatSync, openSync, read } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'

const READ_BYTES = 256 * 1024
const [port, path = ''] = process.argv.slice(2)
const fd = openSync(path, 'r')
const { size } = fstatSync(fd)
const buffers: Buffer[] = []

createServer((request, response) => {
  if (request.url === '/') {
    response.end('ready')
    return
  }
  const [, from = '0', to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const part = { start: Number(from), end: to ? Number(to) + 1 : size }
  response.writeHead(to ? 206 : 200, { 'content-length': part.end - part.start })
  send(response, part)
}).listen(Number(port), '127.0.0.1')

/** The next piece is read while one is on its way. */
function send(response: ServerResponse, { start, end }: { start: number; end: number }): void {
  let at = start
  let ready: Buffer | undefined
  let isSending = false
  const readNext = () => {
    if (at >= end || ready) return
    const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES)
    read(fd, buffer, 0, Math.min(READ_BYTES, end - at), at, (_, length) => {
      at += length
      ready = buffer.subarray(0, length)
      sendNext()
    })
  }
  const sendNext = () => {
    if (isSending || !ready) return
    const bytes = ready
    ready = undefined
    isSending = true
    const isLast = at >= end
    response[isLast ? 'end' : 'write'](bytes, () => {
      buffers.push(Buffer.from(bytes.buffer))
      isSending = false
      sendNext()
    })
    if (!isLast) readNext()
  }
  readNext()
}
