import { setMaxListeners } from 'node:events'
import { read } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './byte-range.ts'
import type { OpenFile } from './open-files.ts'
import { areBuffersScarce, giveBackBuffer, lendBuffer } from './read-buffers.ts'

type Piece = { buffer: Buffer; length: number }

/**
 * Sends a part of an open file as the body of a response whose head is written, and releases the file.
 * The next piece is read while one is on its way; a client that takes long holds two of them at most. A
 * connection that breaks, a file that cannot be read or is deleted end it: the response is cut off then.
 */
export function sendFile(response: ServerResponse, file: OpenFile, range: ByteRange): void {
  const { socket } = response.req
  let position = range.start
  let ready: Piece | undefined
  let sending: Piece | undefined
  let isReading = false
  let isOver = false

  const readNext = () => {
    if (isOver || isReading || ready || position > range.end) return
    if (sending && areBuffersScarce()) return
    isReading = true
    const buffer = lendBuffer()
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
      readNext()
    })
    readNext()
  }

  const freeAll = () => {
    for (const piece of [sending, ready]) if (piece) giveBackBuffer(piece.buffer)
    sending = undefined
    ready = undefined
    file.release()
  }

  /** All has left, or nothing more can: the system reads from no buffer any longer. */
  const finish = () => {
    if (isOver) return
    isOver = true
    socket.off('close', finish)
    if (!isReading) freeAll()
  }

  // A response that waits for others on its connection hears nothing of the connection's end.
  setMaxListeners(0, socket)
  socket.once('close', finish)
  response.once('finish', finish)
  file.onDeletion(() => response.destroy())
  if (socket.destroyed) finish()
  else if (position > range.end) response.end()
  else if (response.socket) readNext()
  else response.once('socket', readNext)
}
