/** Takes request bodies and throws the bytes away: the floor for uploads. */
import { createServer } from 'node:http'

createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'))
}).listen(Number(process.argv[2]), '127.0.0.1')
