import { createServer } from 'node:net'
import { listenLocally } from '#test/support/proxy.ts'

/** Listens on this machine and counts connections, which nobody should make. */
export async function startCanary() {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  const address = await listenLocally(server)
  return {
    address,
    port: Number(new URL(address).port),
    visits: () => visits,
    close: () => server.close(),
  }
}
