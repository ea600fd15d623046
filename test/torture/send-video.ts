import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

/** A site's address and the headers with which a member says who they are. */
export type Uploader = { origin: string; headers: Record<string, string> }

export type UploadAnswer = { status: number; text: string }

/** Uploads a file as the page does. @param onOpened is called before any of it is sent @returns the first refusal, or the answer of completing it */
export async function sendVideo(
  uploader: Uploader,
  file: { name: string; bytes: Buffer },
  onOpened: (uploadId: string) => Promise<void> = async () => {},
): Promise<UploadAnswer> {
  const opened = await openUpload(uploader, file)
  if (opened.status !== 201) return opened
  const { uploadId } = JSON.parse(opened.text) as { uploadId: string }
  await onOpened(uploadId)
  const totalChunks = Math.ceil(file.bytes.length / UPLOAD_CHUNK_BYTES)
  for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const form = new FormData()
    form.set('uploadId', uploadId)
    form.set('chunkIndex', String(chunkIndex))
    form.set('totalChunks', String(totalChunks))
    form.set('chunk', new Blob([file.bytes.subarray(start, start + UPLOAD_CHUNK_BYTES) as never]))
    const sent = await send(uploader, '/api/uploads/chunk', form)
    if (sent.status !== 200) return sent
  }
  return sendJson(uploader, '/api/uploads/complete', { uploadId })
}

export function openUpload(
  uploader: Uploader,
  file: { name: string; bytes: Buffer },
): Promise<UploadAnswer> {
  const metadata = { title: file.name.padEnd(3, '-').slice(0, 100) }
  const body = { fileName: file.name, fileSize: file.bytes.length, fileType: 'video/mp4', metadata }
  return sendJson(uploader, '/api/uploads/initialize', body)
}

/** Sends one file in a form with further fields. */
export function sendForm(
  uploader: Uploader,
  path: string,
  form: { field: string; fileName: string; bytes: Buffer; fields?: Record<string, string> },
): Promise<UploadAnswer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(form.fields ?? {})) body.set(name, value)
  body.set(form.field, new Blob([form.bytes as never]), form.fileName)
  return send(uploader, path, body)
}

function sendJson(uploader: Uploader, path: string, body: object): Promise<UploadAnswer> {
  return send(uploader, path, JSON.stringify(body), { 'content-type': 'application/json' })
}

async function send(
  { origin, headers }: Uploader,
  path: string,
  body: FormData | string,
  more: Record<string, string> = {},
): Promise<UploadAnswer> {
  const init = { method: 'POST', body, headers: { ...headers, ...more } }
  const answer = await fetch(origin + path, init)
  return { status: answer.status, text: await answer.text() }
}
