/** A page with nothing but a `<video>`, and its file: the floor for the start of playback. */
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, path = ''] = process.argv.slice(2)
const { size } = statSync(path)
const page = '<!doctype html><title>video</title><video src="/video.mp4" autoplay muted></video>'

createServer((request, response) => {
  if (request.url !== '/video.mp4') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    return
  }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const [start, end] = [Number(from ?? 0), to ? Number(to) : size - 1]
  response.writeHead(from ? 206 : 200, {
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(from && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  const file = createReadStream(path, { start, end, highWaterMark: 1024 * 1024 })
  file.pipe(response)
  response.on('close', () => file.destroy())
}).listen(Number(port), '127.0.0.1')
