import type { FileHandle } from 'node:fs/promises'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { sep } from 'node:path'
import { planAnswer, versionOfFile, versionOfKey } from './answer-plan.ts'
import type { ByteRange } from './byte-range.ts'
import { openPlainFile } from './plain-files.ts'

/** Memory per stalled client. */
const PIECE_BYTES = 256 * 1024
const SMALL_PIECE_BYTES = 32 * 1024
const LARGE_PIECES_MAX = 64
/** The system would zero new memory. */
const spareBuffers: Buffer[] = []

const underWay = new Map<ServerResponse, string>()

/** @returns undefined if missing */
export async function openMedia(
  response: ServerResponse,
  path: string,
): Promise<FileHandle | undefined> {
  // Before opening: a deletion meanwhile is noticed.
  underWay.set(response, path)
  const file = await openPlainFile(path).catch((error) => {
    underWay.delete(response)
    throw error
  })
  if (!file) underWay.delete(response)
  return file
}

/**
 * Ends early on a broken connection or a shortened or deleted file.
 * @param input.copyOf remote key
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

/** Disconnects readers of deleted files, to free the disk space. */
export function forgetFiles(deleted: string): void {
  for (const [response, path] of underWay) {
    if (path === deleted || path.startsWith(deleted + sep)) response.destroy()
  }
}

/** @throws when the connection breaks or the file is too short */
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
  // After a failure the system may still read the buffer.
  if (bytes === PIECE_BYTES && spareBuffers.length < LARGE_PIECES_MAX) spareBuffers.push(buffer)
}

/** Until the buffer may be reused. */
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
