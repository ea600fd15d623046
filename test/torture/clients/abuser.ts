import { connect, type Socket } from 'node:net'

/** Addresses of this machine, so that whoever abuses the site is another member for it than the others. */
export const ADDRESSES = { others: '127.0.0.1', abuser: '127.0.0.2', proxy: '127.0.0.3' } as const

export type Line = {
  socket: Socket
  /** The beginning of all that came back. */
  received: () => string
  receivedBytes: () => number
  isClosed: () => boolean
}

const KEPT_LENGTH = 2000

/** A bare connection of the abuser's, on which everything that comes is counted unless it is paused. */
export function openLine(port: number, from: string = ADDRESSES.abuser): Line {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  let text = ''
  let bytes = 0
  let closed = false
  socket.on('data', (data) => {
    bytes += data.length
    if (text.length < KEPT_LENGTH) text += data.toString('latin1').slice(0, KEPT_LENGTH)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  // The server has ended it: so do we, as it cannot be seen from outside otherwise.
  socket.on('end', () => socket.end())
  return {
    socket,
    received: () => text,
    receivedBytes: () => bytes,
    isClosed: () => closed,
  }
}

export function openLines(port: number, count: number, from?: string): Line[] {
  return Array.from({ length: count }, () => openLine(port, from))
}

export const hangUp = (lines: Line[]) => {
  for (const { socket } of lines) socket.destroy()
}

export const statusOf = (line: Line) =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(line.received())?.[1] ?? 0)
