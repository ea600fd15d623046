/** Sends ranges of one file with nothing in between: the floor for media bytes. */
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'

const [port, path] = process.argv.slice(2)
createServer((request, response) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const range = { start: Number(start ?? 0), end: Number(end ?? 0) }
  response.writeHead(206, { 'content-length': range.end - range.start + 1 })
  createReadStream(path as string, range).pipe(response)
}).listen(Number(port), '127.0.0.1')
