import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenLocally } from '#test/support/proxy.ts'

/** What a router keeps of each connection, beside what is under way on the line. */
const QUEUE_BYTES = 128 * 1024

/** One direction of a line; `freeAt` is when everything queued on it has left. */
type Lane = { freeAt: number }

/** A line between two machines: each direction has its rate, which all connections share, and its delay. */
export type LineShape = {
  bytesPerSecond: number
  roundTripMs: number
  /** Up to this is added to the way of each piece, which those behind it wait for. */
  jitterMs?: number
  /** The share of pieces that are lost and sent again. */
  lossShare?: number
}

/** The shortest time after which TCP sends again what was lost. */
const SENT_AGAIN_MS = 200

export type ShapedLine = Awaited<ReturnType<typeof openShapedLine>>

/**
 * Carries TCP to a port of loopback as a line of this shape would, with the handshake of each connection.
 * Bytes keep their order, and TCP's slow start is left out.
 */
export async function openShapedLine(port: number, shape: LineShape, ownPort = 0) {
  const sockets = new Set<Socket>()
  const [up, down]: [Lane, Lane] = [{ freeAt: 0 }, { freeAt: 0 }]
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [socket, other, lane] of [
      [near, far, up],
      [far, near, down],
    ] as const) {
      socket.setNoDelay(true)
      sockets.add(socket)
      const openAt = performance.now() + (socket === near ? shape.roundTripMs : 0)
      carry(socket, { to: other, lane, shape, openAt })
      socket.on('error', () => {})
      socket.on('close', (hadError) => {
        sockets.delete(socket)
        // Otherwise what is on its way arrives, and then the end.
        if (hadError) other.destroy()
      })
    }
  })
  return {
    origin: await listenLocally(server, ownPort),
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

type Way = {
  to: Socket
  lane: Lane
  shape: LineShape
  /** No byte leaves before, in milliseconds of the process. */
  openAt: number
}

function carry(from: Socket, { to, lane, shape, openAt }: Way) {
  const { bytesPerSecond, roundTripMs, jitterMs = 0, lossShare = 0 } = shape
  const mostUnderWay = (bytesPerSecond * roundTripMs) / 1000 + QUEUE_BYTES
  const queue: { bytes: Buffer; at: number }[] = []
  let underWay = 0
  let hasEnded = false
  let isWaiting = false
  let lastAt = 0

  function deliver() {
    isWaiting = false
    for (let next = queue[0]; next && next.at <= performance.now(); next = queue[0]) {
      queue.shift()
      underWay -= next.bytes.length
      if (!to.destroyed) to.write(next.bytes, () => release(next.bytes))
    }
    if (underWay < mostUnderWay && to.writableLength < mostUnderWay) from.resume()
    else if (!queue[0]) to.once('drain', deliver)
    if (queue[0]) wait()
    else if (hasEnded) to.end()
  }

  function wait() {
    if (isWaiting || !queue[0]) return
    isWaiting = true
    setTimeout(deliver, Math.max(0, queue[0].at - performance.now()))
  }

  from.on('data', (bytes: Buffer) => {
    const now = performance.now()
    lane.freeAt = Math.max(lane.freeAt, now) + (bytes.length / bytesPerSecond) * 1000
    const lateMs = jitterMs * Math.random() + (Math.random() < lossShare ? SENT_AGAIN_MS : 0)
    lastAt = Math.max(lastAt, Math.max(lane.freeAt, openAt) + roundTripMs / 2 + lateMs)
    queue.push({ bytes, at: lastAt })
    underWay += bytes.length
    if (underWay >= mostUnderWay) from.pause()
    wait()
  })
  from.on('end', () => {
    hasEnded = true
    if (!queue[0]) to.end()
  })
}

/** Frees it at once: at 1 Gb/s, collecting the garbage would be what is measured. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
