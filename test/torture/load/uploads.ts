import { setTimeout as pause } from 'node:timers/promises'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

/** Two chunks a second are 34 Mbit/s: a good line. */
const CHUNK_PAUSE_MS = 500
const POLL_MS = 1000
const TIMEOUT_MS = 60_000

export type Uploader = { origin: string; cookie: string; signal: AbortSignal }

export type UploadRecord = {
  /** Milliseconds that each chunk took. */
  chunkTimes: number[]
  /** Milliseconds from the last chunk to the answer of `complete`. */
  completeTimes: number[]
  failures: string[]
}

/** Uploads the same file again and again, as fast as a good line would, and deletes what became of it. */
export async function keepUploading(
  uploader: Uploader,
  { file, record }: { file: Buffer; record: UploadRecord },
): Promise<void> {
  await untilStopped(uploader, record, async () => {
    const videoId = await upload(uploader, { file, fileName: 'clip.mp4', record, paced: true })
    await call(uploader, 'DELETE', `/api/videos/${videoId}`)
  })
}

/**
 * Keeps one video being transcoded: when it is done, it is deleted and uploaded again.
 * @returns what is called at each look, whether it was being transcoded then
 */
export async function keepTranscoding(
  uploader: Uploader,
  { file, record }: { file: Buffer; record: UploadRecord },
): Promise<void> {
  await untilStopped(uploader, record, async () => {
    const videoId = await upload(uploader, { file, fileName: 'clip.avi', record, paced: false })
    for (;;) {
      await pause(POLL_MS, undefined, { signal: uploader.signal })
      const video = await call(uploader, 'GET', `/api/videos/${videoId}`)
      const { processingState, processingError } = video as Record<string, string | null>
      if (processingState === 'failed') throw new Error(`a transcode failed: ${processingError}`)
      if (processingState === 'ready') break
    }
    await call(uploader, 'DELETE', `/api/videos/${videoId}`)
  })
}

async function untilStopped(
  { signal }: Uploader,
  record: UploadRecord,
  act: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await act()
    } catch (error) {
      if (signal.aborted) return
      record.failures.push((error as Error).message)
      await pause(POLL_MS)
    }
  }
}

/** @param input.paced as fast as a good line would @returns the new video's id */
export async function upload(
  uploader: Uploader,
  input: { file: Buffer; fileName: string; record: UploadRecord; paced: boolean },
): Promise<number> {
  const { file, fileName, record, paced } = input
  const metadata = { title: 'Under load' }
  const open = await call(uploader, 'POST', '/api/uploads/initialize', {
    ...{ fileName, fileSize: file.length, fileType: 'video/mp4', metadata },
  })
  const { uploadId } = open as { uploadId: string }
  const total = Math.ceil(file.length / UPLOAD_CHUNK_BYTES)
  for (let index = 0; index < total; index++) {
    const began = performance.now()
    const form = new FormData()
    const chunk = file.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)
    for (const [name, value] of Object.entries({ uploadId, chunkIndex: index, totalChunks: total }))
      form.append(name, String(value))
    form.append('chunk', new Blob([Uint8Array.from(chunk)]))
    await call(uploader, 'POST', '/api/uploads/chunk', form)
    const took = performance.now() - began
    record.chunkTimes.push(took)
    if (paced)
      await pause(Math.max(0, CHUNK_PAUSE_MS - took), undefined, { signal: uploader.signal })
  }
  const began = performance.now()
  const done = await call(uploader, 'POST', '/api/uploads/complete', { uploadId })
  record.completeTimes.push(performance.now() - began)
  return (done as { videoId: number }).videoId
}

/** @throws when the call is refused, or not answered within a minute */
async function call(
  { origin, cookie, signal }: Uploader,
  method: 'GET' | 'POST' | 'DELETE',
  ...[path, body]: [path: string, body?: object | FormData]
): Promise<unknown> {
  const isForm = body instanceof FormData
  const answer = await fetch(origin + path, {
    method,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: { cookie, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
