import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a port of this machine that can be cut, after some bytes or altogether. */
export async function openBreakableLine(port: number) {
  const open = new Set<Socket>()
  let isUp = true
  let bytesLeft = Number.POSITIVE_INFINITY
  const server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
    const target = connect(port, '127.0.0.1')
    const end = () => {
      for (const one of [socket, target]) one.destroy()
      open.delete(socket)
    }
    open.add(socket)
    for (const one of [socket, target]) one.on('error', end).on('close', end)
    socket.pipe(target)
    target.on('data', (piece) => {
      bytesLeft -= piece.length
      if (bytesLeft < 0) end()
      else if (!socket.write(piece)) {
        target.pause()
        socket.once('drain', () => target.resume())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countOpen: () => open.size,
    /** Everything that is under way ends, and nothing begins. */
    breakDown(): void {
      isUp = false
      cut()
    },
    mend(): void {
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
