import { once } from 'node:events'
import { createServer } from 'node:net'

/** Listens on this machine, and counts who comes: nobody should. */
export async function startCanary() {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    visits: () => visits,
    close: () => server.close(),
  }
}
