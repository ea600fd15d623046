import type { FileHandle } from 'node:fs/promises'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { sep } from 'node:path'
import { planAnswer, versionOfFile, versionOfKey } from './answer-plan.ts'
import type { ByteRange } from './byte-range.ts'
import { openPlainFile } from './plain-files.ts'

/** Read and written at a time; a client that takes nothing holds so much memory. */
const PIECE_BYTES = 256 * 1024
const SMALL_PIECE_BYTES = 32 * 1024
/** With more answers under way pieces are small. */
const LARGE_PIECES_MAX = 64
/** Used again by the next answers: the system clears the memory of each new one. */
const spareBuffers: Buffer[] = []

/** The answers under way, each with the path of the file that it reads. */
const underWay = new Map<ServerResponse, string>()

/** Opens a file for an answer. @returns undefined when there is no such file */
export async function openMedia(
  response: ServerResponse,
  path: string,
): Promise<FileHandle | undefined> {
  // Before it is open, so that one that is deleted meanwhile is not missed.
  underWay.set(response, path)
  const file = await openPlainFile(path).catch((error) => {
    underWay.delete(response)
    throw error
  })
  if (!file) underWay.delete(response)
  return file
}

/**
 * Answers with an opened file, or the part of it that is asked for, and closes it. A connection that breaks, or a file
 * that becomes shorter or is deleted, ends it.
 * @param input.headers those of every answer with this file
 * @param input.copyOf the key of what a store elsewhere holds, where the file is a copy of that
 */
export async function answerMedia(
  response: ServerResponse,
  input: { file: FileHandle; headers: OutgoingHttpHeaders; copyOf?: string | undefined },
): Promise<void> {
  const { file, headers, copyOf } = input
  try {
    const { size: bytes, mtime: modifiedAt } = await file.stat()
    const { method, headers: asked } = response.req
    const version = copyOf ? versionOfKey(copyOf, { bytes }) : versionOfFile({ bytes, modifiedAt })
    const answer = planAnswer(asked, { bytes, ...version })
    response.writeHead(answer.status, { ...headers, ...answer.headers })
    const { body } = answer
    if (typeof body === 'object' && method !== 'HEAD') await sendRange(response, file, body)
    response.end(typeof body === 'string' ? body : undefined)
  } catch {
    response.destroy()
  } finally {
    underWay.delete(response)
    await file.close()
  }
}

/**
 * Cuts off who reads a deleted file, or one of a deleted folder: the disk gets the space back only when nobody has it
 * open any more.
 */
export function forgetFiles(deleted: string): void {
  for (const [response, path] of underWay) {
    if (path === deleted || path.startsWith(deleted + sep)) response.destroy()
  }
}

/** @throws when the connection breaks, or the file ends before the range does */
async function sendRange(
  response: ServerResponse,
  file: FileHandle,
  { start, end }: ByteRange,
): Promise<void> {
  const pieceBytes = underWay.size > LARGE_PIECES_MAX ? SMALL_PIECE_BYTES : PIECE_BYTES
  const bytes = Math.min(pieceBytes, end - start + 1)
  const spare = bytes === PIECE_BYTES ? spareBuffers.pop() : undefined
  const buffer = spare ?? Buffer.allocUnsafeSlow(bytes)
  for (let position = start; position <= end; ) {
    const wanted = Math.min(buffer.length, end - position + 1)
    const { bytesRead } = await file.read(buffer, 0, wanted, position)
    if (bytesRead === 0) throw new Error('The file is shorter than it was.')
    position += bytesRead
    await writePiece(response, buffer.subarray(0, bytesRead))
  }
  // Not after a failure: the system might still be reading it.
  if (bytes === PIECE_BYTES && spareBuffers.length < LARGE_PIECES_MAX) spareBuffers.push(buffer)
}

/** Resolves when the system has the bytes, so that their memory may be used again. */
function writePiece(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The connection is closed.'))
    if (response.destroyed) return fail()
    response.once('close', fail)
    response.write(bytes, (error) => {
      response.off('close', fail)
      if (error) reject(error)
      else resolve()
    })
  })
}
