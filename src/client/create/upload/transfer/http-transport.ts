import { connection, noteStatus } from '#client/platform/connection.ts'
import {
  bodySentence,
  errorMessage,
  errorStatus,
  serverSentence,
} from '#client/platform/error-message.ts'
import type { trpcClient } from '#client/trpc.ts'
import { atMostEvery } from './at-most-every.ts'
import { UploadCallError, type UploadTransport } from './upload-transport.ts'

/** Longer than the server lets a request last. */
const FORM_TIMEOUT_MS = 150_000
/** WebKit fires a progress event for every 8 KiB, and each one that is passed on renders the page. */
const PROGRESS_MS = 100
const CONNECTION_LOST = 'The connection to the server was lost.'
/** After this long without progress a request causes a probe, and is given up if the connection was lost. */
const STALLED_MS = 4000

/** The calls of an upload over HTTP: JSON through the procedures, bytes through multipart forms. */
export function createHttpTransport(client: typeof trpcClient): UploadTransport {
  return {
    initialize: (input) => client.upload.initialize.mutate(input).catch(rethrowCallError),
    complete: (input) => client.upload.complete.mutate(input).catch(rethrowCallError),
    cancel: (input) => client.upload.cancel.mutate(input).catch(rethrowCallError),
    openLink: (input) => client.upload.openLink.mutate(input).catch(rethrowCallError),
    sendChunk: async ({ uploadId, chunkIndex, totalChunks, chunk }, options) => {
      const form = new FormData()
      form.append('uploadId', uploadId)
      form.append('chunkIndex', String(chunkIndex))
      form.append('totalChunks', String(totalChunks))
      form.append('chunk', chunk)
      await postForm('/api/uploads/chunk', { form, ...options })
    },
    sendThumbnail: async ({ uploadId, thumbnail }, options) => {
      const form = new FormData()
      form.append('uploadId', uploadId)
      form.append('thumbnail', thumbnail)
      return JSON.parse(await postForm('/api/uploads/thumbnail', { form, ...options }))
    },
  }
}

/** @throws UploadCallError with what is known of a failed call */
export function rethrowCallError(error: unknown): never {
  const status = errorStatus(error)
  throw new UploadCallError(errorMessage(error), {
    sentence: serverSentence(error),
    ...(status !== undefined && { status }),
  })
}

type FormPost = {
  form: FormData
  signal: AbortSignal
  onProgress?: (bytes: number) => void
}

/** XMLHttpRequest, for `fetch` does not tell how much of a body has left. */
function postForm(path: string, { form, signal, onProgress }: FormPost): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const lose = () => {
      void connection.doubt()
      reject(new UploadCallError(CONNECTION_LOST))
    }
    const stopWatching = watchForStall(request, lose)
    signal.addEventListener('abort', abort, { once: true })
    if (onProgress) {
      const report = atMostEvery(PROGRESS_MS, onProgress)
      request.upload.addEventListener('progress', (event) => report(event.loaded))
    }
    request.addEventListener('load', () => {
      noteStatus(request.status)
      if (request.status >= 200 && request.status < 300) resolve(request.responseText)
      else reject(answerError(request))
    })
    for (const lost of ['error', 'timeout']) request.addEventListener(lost, lose)
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => {
      stopWatching()
      signal.removeEventListener('abort', abort)
    })
    request.open('POST', path)
    request.timeout = FORM_TIMEOUT_MS
    request.send(form)
  })
}

/** Ends a stalled request when the connection is back after it was lost: no answer will come. */
function watchForStall(request: XMLHttpRequest, lose: () => void): () => void {
  let movedAt = performance.now()
  request.upload.addEventListener('progress', () => {
    movedAt = performance.now()
  })
  const isStalled = () => performance.now() - movedAt >= STALLED_MS
  const timer = setInterval(() => isStalled() && void connection.doubt(), STALLED_MS)
  const stopListening = connection.onBack(() => {
    if (!isStalled()) return
    lose()
    request.abort()
  })
  return () => {
    clearInterval(timer)
    stopListening()
  }
}

function answerError(request: XMLHttpRequest): UploadCallError {
  const { status, responseText, statusText } = request
  const type = request.getResponseHeader('content-type') ?? ''
  const retryAfter = Number(request.getResponseHeader('retry-after'))
  const sentence = bodySentence({ status, type, body: responseText }) || statusText
  return new UploadCallError(`Server error: ${status} ${sentence}`, {
    status,
    sentence,
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  })
}
