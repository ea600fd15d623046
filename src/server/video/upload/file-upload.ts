import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { watchExtendedFileName } from '#server/platform/http/extended-file-name.ts'
import { explainFormError } from '#server/platform/http/multipart-form.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { fileFieldsSchema, uploadDetailsSchema } from '#shared/schemas/upload.schemas.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { createChunkWriter } from './chunk-writer.ts'
import { suggestDetails } from './suggested-details.ts'
import { cancelUpload, openUpload } from './upload.service.ts'
import { changeDetails } from './upload-details.service.ts'
import { createBeat } from './upload-heartbeat.ts'

const FIELD_BYTES_MAX = 24 * 1024
const FIELDS_MAX = 20

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline'>
type Opened = { uploadId: string; fileName: string }

/**
 * Deletes the upload on failure.
 * @returns the upload to complete
 * @throws like opening and receiving chunks
 */
export async function receiveFile(
  deps: Deps,
  input: {
    request: FastifyRequest
    viewer: Viewer
    maxFileBytes: number
    onPiece: () => void
    /** Before the first byte of the file is read. */
    onOpened?: ((uploadId: string) => Promise<void>) | undefined
  },
): Promise<string> {
  const { request, viewer, maxFileBytes, onPiece, onOpened } = input
  if (!request.isMultipart()) {
    throw new AppError('unsupported', 'Send this as multipart/form-data.')
  }
  // Upper bound, by the form; the file's own length is known at its end.
  const declared = Number(request.headers['content-length'] ?? maxFileBytes)
  const fields: Record<string, string> = {}
  let opened: Opened | undefined
  const extendedName = watchExtendedFileName(request.raw, 'file')
  try {
    const limits = {
      fileSize: maxFileBytes,
      fieldSize: FIELD_BYTES_MAX,
      fields: FIELDS_MAX,
      files: 1,
    }
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') fields[part.fieldname] = String(part.value)
      else if (part.fieldname !== 'file') part.file.resume()
      else {
        const sizeAtMost = Math.max(1, Math.min(declared, maxFileBytes))
        const fileName = shownFileName(extendedName() ?? part.filename ?? '')
        opened = await openFor(deps, { fileName, fields, viewer, sizeAtMost })
        await onOpened?.(opened.uploadId)
        await storeStream(deps, { ...opened, viewer, sizeAtMost, stream: part.file, onPiece })
      }
    }
    if (!opened) throw new AppError('invalid', 'file is missing.')
    const metadata = await readDetails(deps.db, { fields, fileName: opened.fileName })
    await changeDetails(deps, { uploadId: opened.uploadId, metadata, viewer })
    return opened.uploadId
  } catch (error) {
    if (opened) await cancelUpload(deps, { uploadId: opened.uploadId, viewer })
    throw explainFormError(error)
  }
}

async function openFor(
  deps: Deps,
  input: {
    fileName: string
    fields: Record<string, string>
    viewer: Viewer
    sizeAtMost: number
  },
): Promise<Opened> {
  const { fileName, fields, viewer, sizeAtMost } = input
  const metadata = await readDetails(deps.db, { fields, fileName })
  const { uploadId } = await openUpload(deps, { fileName, fileSize: sizeAtMost, metadata, viewer })
  return { uploadId, fileName }
}

/** Without a title, title and category are taken from the file name. */
async function readDetails(
  db: Database,
  { fields, fileName }: { fields: Record<string, string>; fileName: string },
) {
  const { title, category, ...rest } = parseFields(fileFieldsSchema, fields)
  const suggested = title ? undefined : await suggestDetails(db, { fileName })
  return parseFields(uploadDetailsSchema, {
    ...rest,
    title: title || suggested?.title,
    category: category ?? suggested?.category ?? undefined,
  })
}

async function storeStream(
  deps: Deps,
  input: {
    uploadId: string
    viewer: Viewer
    sizeAtMost: number
    stream: Readable & { truncated?: boolean }
    onPiece: () => void
  },
): Promise<void> {
  const { uploadId, viewer, sizeAtMost, stream, onPiece } = input
  const beat = createBeat(deps.db, { id: uploadId, userId: viewer.id })
  const writer = createChunkWriter(deps, { uploadId, viewer, sizeAtMost })
  for await (const piece of stream as AsyncIterable<Buffer>) {
    onPiece()
    beat()
    await writer.write(piece)
  }
  if (stream.truncated) throw new AppError('too-large', 'The file is too large.')
  await writer.end()
}
