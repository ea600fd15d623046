import { readFile } from 'node:fs/promises'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { TestMember, TestSite } from './test-site.ts'

const BOUNDARY = 'clutch-test-boundary'

/** A multipart body as browsers write it; a Buffer is sent as a file. */
export function multipart(fields: Record<string, string | number | Buffer>) {
  const parts = Object.entries(fields).map(([name, value]) => {
    const isFile = Buffer.isBuffer(value)
    const head = [
      `--${BOUNDARY}`,
      `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="blob"' : ''}`,
      ...(isFile ? ['Content-Type: application/octet-stream'] : []),
    ]
    const body = isFile ? value : Buffer.from(String(value))
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body, Buffer.from('\r\n')])
  })
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

type Sender = { site: TestSite; as: TestMember }

export function initialize(
  { site, as }: Sender,
  file: {
    name?: string
    size: number
    resumeUploadId?: string
    metadata?: object
    replacesVideoId?: number
  },
) {
  return site.post('/api/uploads/initialize', {
    as,
    payload: {
      fileName: file.name ?? 'clip.mp4',
      fileSize: file.size,
      fileType: 'video/mp4',
      metadata: { title: 'A clip', ...file.metadata },
      resumeUploadId: file.resumeUploadId,
      replacesVideoId: file.replacesVideoId,
    },
  })
}

export function sendChunk(
  { site, as }: Sender,
  chunk: { uploadId: string; chunkIndex: number; totalChunks: number; bytes: Buffer },
) {
  const { uploadId, chunkIndex, totalChunks, bytes } = chunk
  return site.post('/api/uploads/chunk', {
    as,
    ...multipart({ uploadId, chunkIndex, totalChunks, chunk: bytes }),
  })
}

export function complete(
  { site, as }: Sender,
  body: { uploadId: string; thumbnailUrl?: string | null },
) {
  return site.post('/api/uploads/complete', { as, payload: body })
}

/** Sends a whole file but does not complete it. @returns the upload's id */
export async function sendFile(
  sender: Sender,
  file: {
    path?: string
    bytes?: Buffer
    name?: string
    metadata?: object
    replacesVideoId?: number
  },
): Promise<string> {
  const bytes = file.bytes ?? (await readFile(file.path ?? ''))
  const opened = await initialize(sender, { ...file, size: bytes.length })
  if (opened.statusCode !== 201) throw new Error(`${opened.statusCode}: ${opened.body}`)
  const { uploadId } = opened.json<{ uploadId: string }>()
  const totalChunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const part = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    const sent = await sendChunk(sender, { uploadId, chunkIndex, totalChunks, bytes: part })
    if (sent.statusCode !== 200) throw new Error(`${sent.statusCode}: ${sent.body}`)
  }
  return uploadId
}
