import { connect, createServer, type Socket } from 'node:net'
import { listenLocally } from './proxy.ts'

/** A line to a port of this machine that can be cut, after some bytes or altogether. */
export async function openBreakableLine(port: number) {
  const open = new Set<Socket>()
  const ends = new WeakMap<Socket, Socket>()
  let isUp = true
  let isStalled = false
  let bytesLeft = Number.POSITIVE_INFINITY
  const server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
    const target = connect(port, '127.0.0.1')
    const end = () => {
      for (const one of [socket, target]) one.destroy()
      open.delete(socket)
    }
    open.add(socket)
    ends.set(socket, target)
    if (isStalled) for (const one of [socket, target]) one.pause()
    for (const one of [socket, target]) one.on('error', end).on('close', end)
    socket.on('data', (piece) => {
      if (!target.write(piece)) {
        socket.pause()
        target.once('drain', () => isStalled || socket.resume())
      }
    })
    target.on('data', (piece) => {
      bytesLeft -= piece.length
      if (bytesLeft < 0) end()
      else if (!socket.write(piece)) {
        target.pause()
        socket.once('drain', () => isStalled || target.resume())
      }
    })
  })
  const origin = await listenLocally(server)
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    origin,
    countOpen: () => open.size,
    /** Everything that is under way ends, and nothing begins. */
    breakDown(): void {
      isUp = false
      cut()
    },
    /** Stops all transfers without closing connections. */
    stall(): void {
      isStalled = true
      for (const socket of open) for (const one of [socket, ends.get(socket)]) one?.pause()
    },
    mend(): void {
      if (isStalled)
        for (const socket of open) for (const one of [socket, ends.get(socket)]) one?.resume()
      isStalled = false
      isUp = true
      bytesLeft = Number.POSITIVE_INFINITY
    },
    /** It breaks after so many bytes more from the other end. */
    breakAfter(bytes: number): void {
      bytesLeft = bytes
    },
    async stop(): Promise<void> {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
