import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request as it is written to a connection. */
export const getRequest = (path: string, range = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${range && `Range: ${range}\r\n`}\r\n`

/** Asks a server on this machine for something and reads nothing of it but its beginning. */
export async function askAndStall(port: number, requests: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(requests)
  await once(socket, 'readable')
  return socket
}
