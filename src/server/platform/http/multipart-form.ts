import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

type MultipartForm = { fields: Record<string, string>; file: Buffer | undefined }

const FIELD_BYTES_MAX = 1024
const FIELDS_MAX = 20
const FORM_BYTES_MAX = 32 * 1024

/**
 * A form with one file, in memory.
 * @param options.buffer for the file, of `maxFileBytes`; new by default
 * @param options.beforeFile gets the fields before it and may refuse
 * @throws `unsupported`, `too-large`, `invalid` when cut off
 */
export async function readMultipartForm(
  request: FastifyRequest,
  options: {
    fileField: string
    maxFileBytes: number
    buffer?: Buffer
    beforeFile?: (fields: Record<string, string>) => Promise<void>
  },
): Promise<MultipartForm> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported', 'Send this as multipart/form-data.')
  }
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
        const buffer = options.buffer ?? Buffer.allocUnsafeSlow(options.maxFileBytes)
        const bytes = await readInto(buffer, part.file)
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

/** The parser's own errors have no code; all others are kept. */
export function explainFormError(error: unknown): unknown {
  const isExplained = error instanceof AppError || Boolean((error as { code?: string }).code)
  return isExplained
    ? error
    : new AppError('invalid', 'The form is not well-formed, or was cut off.')
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
  if (Number(request.headers['content-length'] ?? 0) > maxFileBytes + FORM_BYTES_MAX) {
    throw tooLarge()
  }
}

function tooLarge(): AppError {
  return new AppError('too-large', 'The request is too large.')
}
