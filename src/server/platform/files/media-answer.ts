import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { sep } from 'node:path'
import { isFresh, wholeSeconds } from '../http/answer/conditional-request.ts'
import { type ByteRange, parseByteRange } from './byte-range.ts'

/** Read and written at a time; a client that takes nothing holds so much memory. */
const PIECE_BYTES = 256 * 1024
const SMALL_PIECE_BYTES = 32 * 1024
/** With more answers under way pieces are small. */
const LARGE_PIECES_MAX = 64
/** Used again by the next answers: the system clears the memory of each new one. */
const spareBuffers: Buffer[] = []
const OUTSIDE_TEXT = 'The range lies outside the file.'

type Answer = { status: number; headers: OutgoingHttpHeaders; body?: ByteRange | string }
type FileState = { size: number; modifiedAt: Date }

/** The answers under way, each with the path of the file that it reads. */
const underWay = new Map<ServerResponse, string>()

/** Opens a file for an answer. @returns undefined when there is no such file */
export async function openMedia(
  response: ServerResponse,
  path: string,
): Promise<FileHandle | undefined> {
  // Before it is open, so that one that is deleted meanwhile is not missed.
  underWay.set(response, path)
  try {
    return await open(path, 'r')
  } catch (error) {
    underWay.delete(response)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Answers with an opened file, or the part of it that is asked for, and closes it. A connection that breaks, or a file
 * that becomes shorter or is deleted, ends it.
 * @param input.headers those of every answer with this file
 */
export async function answerMedia(
  response: ServerResponse,
  { file, headers }: { file: FileHandle; headers: OutgoingHttpHeaders },
): Promise<void> {
  try {
    const { size, mtime: modifiedAt } = await file.stat()
    const { method, headers: asked } = response.req
    const answer = planAnswer(asked, { size, modifiedAt })
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

function planAnswer(asked: IncomingHttpHeaders, file: FileState): Answer {
  const { size, modifiedAt } = file
  const etag = `"${size.toString(36)}-${modifiedAt.getTime().toString(36)}"`
  const state = { etag, 'last-modified': modifiedAt.toUTCString() }
  if (isFresh({ headers: asked }, { etag, modifiedAt })) return { status: 304, headers: state }
  const applies = stillApplies(asked['if-range']?.toString(), { etag, modifiedAt })
  const range = applies ? parseByteRange(asked.range, size) : 'whole'
  if (range === 'unsatisfiable') {
    const headers = {
      ...state,
      'content-range': `bytes */${size}`,
      'content-length': OUTSIDE_TEXT.length,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    }
    return { status: 416, headers, body: OUTSIDE_TEXT }
  }
  if (range === 'whole') {
    const headers = { ...state, 'content-length': size }
    return { status: 200, headers, body: { start: 0, end: size - 1 } }
  }
  const headers = {
    ...state,
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
    'content-length': range.end - range.start + 1,
  }
  return { status: 206, headers, body: range }
}

function stillApplies(
  ifRange: string | undefined,
  file: { etag: string; modifiedAt: Date },
): boolean {
  if (ifRange === undefined || ifRange === file.etag) return true
  return wholeSeconds(new Date(ifRange)) === wholeSeconds(file.modifiedAt)
}
