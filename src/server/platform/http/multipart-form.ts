import { finished } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { boundaryOf, parseForm } from './parse-form.ts'

type MultipartForm = { fields: Record<string, string>; file: Buffer | undefined }

const FIELD_BYTES_MAX = 1024
const FIELDS_MAX = 20
const FORM_BYTES_MAX = 32 * 1024

/** Of the buffer for a form with such a file. */
export const formBytesMax = (maxFileBytes: number): number => maxFileBytes + FORM_BYTES_MAX

/**
 * A form with one file, in memory.
 * @param options.beforeFile gets the fields before it and may refuse
 * @throws `unsupported`, `too-large`, `invalid` when cut off
 */
export async function readMultipartForm(
  request: FastifyRequest,
  options: {
    fileField: string
    maxFileBytes: number
    beforeFile?: (fields: Record<string, string>) => Promise<void>
  },
): Promise<MultipartForm> {
  requireMultipart(request)
  const form: MultipartForm = { fields: {}, file: undefined }
  const limits = {
    fileSize: options.maxFileBytes,
    fieldSize: FIELD_BYTES_MAX,
    fields: FIELDS_MAX,
    files: 1,
    parts: FIELDS_MAX + 1,
  }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        await options.beforeFile?.(form.fields).catch((error) => discard(part.file, error))
        const bytes = await readInto(Buffer.allocUnsafeSlow(options.maxFileBytes), part.file)
        if (part.fieldname === options.fileField) form.file = bytes
      } else {
        form.fields[part.fieldname] = String(part.value)
      }
    }
  } catch (error) {
    throw explainFormError(error)
  }
  return form
}

/**
 * The same for a form that is read often: as a whole into `buffer`, of which the file is a view.
 * See docs/decisions/0071-chunks-fill-the-line.md.
 * @throws `unsupported`, `too-large`, `invalid` when cut off
 */
export async function readWholeForm(
  request: FastifyRequest,
  options: {
    fileField: string
    maxFileBytes: number
    buffer: Buffer
    /** Gets what has arrived so far. */
    onPiece?: (arrived: Buffer) => void
  },
): Promise<MultipartForm> {
  const { fileField, maxFileBytes, buffer, onPiece } = options
  requireMultipart(request)
  const body = await readBody(request, { buffer, onPiece })
  const boundary = boundaryOf(request.headers['content-type'])
  const parts =
    boundary === undefined ? undefined : parseForm(body, { boundary, partsMax: FIELDS_MAX + 1 })
  if (!parts || parts.some(({ name }) => name in Object.prototype)) throw notWellFormed()
  const form: MultipartForm = { fields: {}, file: undefined }
  const files = parts.filter(({ isFile }) => isFile)
  if (files.length > 1 || parts.length - files.length > FIELDS_MAX) throw tooLarge()
  for (const { name, isFile, bytes } of parts) {
    if (!isFile) form.fields[name] = bytes.toString('utf8', 0, FIELD_BYTES_MAX)
    else if (bytes.length > maxFileBytes) throw tooLarge()
    else if (name === fileField) form.file = bytes
  }
  return form
}

function requireMultipart(request: FastifyRequest): void {
  if (!request.isMultipart()) {
    throw new AppError('unsupported', 'Send this as multipart/form-data.')
  }
}

/** To the end, so that the client reads the answer. */
async function readBody(
  { raw }: FastifyRequest,
  { buffer, onPiece }: { buffer: Buffer; onPiece: ((arrived: Buffer) => void) | undefined },
): Promise<Buffer> {
  let length = 0
  raw.on('data', (piece: Buffer) => {
    if (length + piece.length <= buffer.length) piece.copy(buffer, length)
    length += piece.length
    release(piece)
    onPiece?.(buffer.subarray(0, length))
  })
  await finished(raw, { writable: false }).catch(() => {
    throw notWellFormed()
  })
  if (length > buffer.length) throw tooLarge()
  return buffer.subarray(0, length)
}

/** Node made this copy for us alone. Left to the garbage collector, such pieces took half of an upload's processor time. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** The parser's own errors have no code; all others are kept. */
export function explainFormError(error: unknown): unknown {
  const isExplained = error instanceof AppError || Boolean((error as { code?: string }).code)
  return isExplained ? error : notWellFormed()
}

/**
 * Reads the rest, so that the client reads the answer.
 * @throws `refusal`, or `too-large`
 */
async function discard(stream: MultipartFile['file'], refusal: unknown): Promise<never> {
  for await (const _ of stream);
  throw stream.truncated ? tooLarge() : refusal
}

/** Many small ones would be collected too late. */
async function readInto(buffer: Buffer, stream: MultipartFile['file']): Promise<Buffer> {
  let length = 0
  for await (const piece of stream as AsyncIterable<Buffer>) length += piece.copy(buffer, length)
  if (stream.truncated) throw tooLarge()
  return buffer.subarray(0, length)
}

/** @throws `invalid` if missing or empty */
export function requireFile(file: Buffer | undefined, name: string): Buffer {
  if (!file || file.length === 0) throw new AppError('invalid', `${name} is missing.`)
  return file
}

/**
 * By the declared length.
 * @throws `too-large`
 */
export function requireFormSize(request: FastifyRequest, maxFileBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > formBytesMax(maxFileBytes)) {
    throw tooLarge()
  }
}

function notWellFormed(): AppError {
  return new AppError('invalid', 'The form is not well-formed, or was cut off.')
}

function tooLarge(): AppError {
  return new AppError('too-large', 'The request is too large.')
}
