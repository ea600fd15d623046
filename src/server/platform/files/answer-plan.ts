import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { type ByteRange, parseByteRange } from './byte-range.ts'
import { isFresh, wholeSeconds } from './conditional-request.ts'
import type { FileState } from './media-store.ts'

const OUTSIDE_TEXT = 'The range lies outside the file.'

/** Distinguishes contents of one address. */
type Version = { etag: string; modifiedAt?: Date }

type AnswerPlan = { status: number; headers: OutgoingHttpHeaders; body?: ByteRange | string }

/** Local files only. */
export function versionOfFile({ bytes, modifiedAt }: FileState): Version {
  return { etag: `"${bytes.toString(36)}-${modifiedAt.getTime().toString(36)}"`, modifiedAt }
}

/** The same for a store and its local copy: players switch between them. */
export function versionOfKey(key: string, { bytes }: Pick<FileState, 'bytes'>): Version {
  const hash = createHash('sha256').update(key).digest('base64url').slice(0, 16)
  return { etag: `"${bytes.toString(36)}-${hash}"` }
}

/** RFC 9110, 13 and 14. */
export function planAnswer(
  asked: IncomingHttpHeaders,
  { bytes, etag, modifiedAt }: Version & { bytes: number },
): AnswerPlan {
  const state = { etag, ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }) }
  if (isFresh({ headers: asked }, { etag, modifiedAt })) return { status: 304, headers: state }
  const applies = stillApplies(asked['if-range']?.toString(), { etag, modifiedAt })
  const range = applies ? parseByteRange(asked.range, bytes) : 'whole'
  if (range === 'unsatisfiable') {
    const headers = {
      ...state,
      'content-range': `bytes */${bytes}`,
      'content-length': OUTSIDE_TEXT.length,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    }
    return { status: 416, headers, body: OUTSIDE_TEXT }
  }
  if (range === 'whole') {
    const headers = { ...state, 'content-length': bytes }
    return { status: 200, headers, body: { start: 0, end: bytes - 1 } }
  }
  const headers = {
    ...state,
    'content-range': `bytes ${range.start}-${range.end}/${bytes}`,
    'content-length': range.end - range.start + 1,
  }
  return { status: 206, headers, body: range }
}

function stillApplies(
  ifRange: string | undefined,
  file: { etag: string; modifiedAt: Date | undefined },
): boolean {
  if (ifRange === undefined || ifRange === file.etag) return true
  if (file.modifiedAt === undefined) return false
  return wholeSeconds(new Date(ifRange)) === wholeSeconds(file.modifiedAt)
}
