import { setMaxListeners } from 'node:events'
import { read } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './byte-range.ts'
import type { OpenFile } from './open-files.ts'
import { areBuffersScarce, giveBackBuffer, lendBuffer, lendSmallBuffer } from './read-buffers.ts'
import type { FileConnection, Moved, SystemSendfile } from './system-sendfile.ts'

/** So that one client's file does not keep others waiting. */
const MOVED_BYTES_MAX = 1024 * 1024

type FilePart = { file: OpenFile; range: ByteRange }
type Piece = { buffer: Buffer; length: number }

/**
 * Sends a part of an open file as the body of a response whose head is written, and releases the file.
 * With `sendfile` the kernel moves it, and a connection that takes no more is waited for by writing a small
 * piece to it: Node tells in no other way that there is room again. Without it all is read and written, and the
 * next piece is read while one is on its way; a client that takes long holds two of them at most. A connection
 * that breaks, a file that cannot be read or is deleted end it: the response is cut off then.
 */
export function sendFile(
  response: ServerResponse,
  { file, range }: FilePart,
  sendfile?: SystemSendfile,
): void {
  const { socket } = response.req
  let connection: FileConnection | undefined
  let position = range.start
  let ready: Piece | undefined
  let sending: Piece | undefined
  let isReading = false
  let isMoving = false
  let isOver = false

  const begin = () => {
    if (isOver || response.destroyed) return
    response.flushHeaders()
    connection = sendfile?.connect(socket)
    goOn()
  }

  const goOn = () => {
    // What was written then has not all left, and the kernel's way is still open: there would be a hole.
    if (socket.destroyed || response.destroyed) return
    // The kernel would put the bytes before those that wait.
    if (connection && socket.writableLength === 0) moveNext(connection)
    else readNext()
  }

  const moveNext = (to: FileConnection) => {
    isMoving = true
    const length = Math.min(MOVED_BYTES_MAX, range.end - position + 1)
    to.move({ fd: file.handle.fd, position, length }, (moved) => {
      isMoving = false
      if (isOver) freeAll()
      else takeMoved(moved)
    })
  }

  const takeMoved = (moved: Moved) => {
    if (moved === 'failed') leaveConnection()
    if (moved === 'full' || moved === 'failed') {
      readNext()
      return
    }
    position += moved
    if (moved === 0) response.destroy()
    else if (position > range.end) response.end()
    else goOn()
  }

  const leaveConnection = () => {
    connection?.close()
    connection = undefined
  }

  const readNext = () => {
    if (isOver || isReading || ready || position > range.end) return
    if (sending && (connection || areBuffersScarce())) return
    isReading = true
    const buffer = connection ? lendSmallBuffer() : lendBuffer()
    const wanted = Math.min(buffer.length, range.end - position + 1)
    read(file.handle.fd, buffer, 0, wanted, position, (error, length) => {
      isReading = false
      ready = { buffer, length }
      position += length
      if (isOver) freeAll()
      else if (error || length === 0) response.destroy()
      else sendNext()
    })
  }

  const sendNext = () => {
    if (isOver || sending || !ready) return
    sending = ready
    ready = undefined
    const { buffer, length } = sending
    const bytes = length === buffer.length ? buffer : buffer.subarray(0, length)
    if (position > range.end) {
      response.end(bytes)
      return
    }
    response.write(bytes, () => {
      if (isOver) return
      giveBackBuffer(buffer)
      sending = undefined
      sendNext()
      goOn()
    })
    readNext()
  }

  const freeAll = () => {
    for (const piece of [sending, ready]) if (piece) giveBackBuffer(piece.buffer)
    sending = undefined
    ready = undefined
    leaveConnection()
    file.release()
  }

  /** All has left, or nothing more can: the system reads from no buffer any longer. */
  const finish = () => {
    if (isOver) return
    isOver = true
    socket.off('close', finish)
    if (!isReading && !isMoving) freeAll()
  }

  // A response that waits for others on its connection hears nothing of the connection's end.
  setMaxListeners(0, socket)
  socket.once('close', finish)
  response.once('finish', finish)
  file.onDeletion(() => response.destroy())
  if (socket.destroyed) finish()
  else if (position > range.end) response.end()
  else if (response.socket) begin()
  else response.once('socket', begin)
}
