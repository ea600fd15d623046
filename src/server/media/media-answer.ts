import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { isFresh, wholeSeconds } from '../http/conditional-request.ts'
import { type ByteRange, parseByteRange } from './byte-range.ts'
import type { MediaAccess } from './media-access.ts'
import type { OpenFile } from './open-files.ts'
import { sendFile } from './send-file.ts'
import { findSystemSendfile } from './system-sendfile.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}
const OUTSIDE_TEXT = 'The range lies outside the file.'

type Answer = { status: number; headers: OutgoingHttpHeaders; body?: ByteRange | string }

/** What a file's name and who may have it say of every answer with it. */
export function describeMedia(name: string, access: MediaAccess): OutgoingHttpHeaders {
  return {
    'accept-ranges': 'bytes',
    'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control':
      access === 'public' ? 'public, max-age=31536000, immutable' : 'private, no-cache',
  }
}

/**
 * Answers a request for a file, which is released once that is done.
 * @param input.headers those of every answer, and what `describeMedia` says
 */
export function answerMedia(
  response: ServerResponse,
  input: { file: OpenFile; headers: OutgoingHttpHeaders },
): void {
  const { file } = input
  const { req: request } = response
  const { status, headers, body } = planAnswer(request.headers, file)
  response.writeHead(status, { ...input.headers, ...headers })
  if (typeof body === 'object' && request.method !== 'HEAD') {
    sendFile(response, { file, range: body }, findSystemSendfile())
    return
  }
  file.release()
  response.end(typeof body === 'string' ? body : undefined)
}

function planAnswer(
  asked: IncomingHttpHeaders,
  { size, modifiedAt }: Pick<OpenFile, 'size' | 'modifiedAt'>,
): Answer {
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
