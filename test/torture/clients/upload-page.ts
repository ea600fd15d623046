import {
  createUploadEngine,
  type UploadOutcome,
} from '#client/create/upload/transfer/upload-engine.ts'
import { createUploadMemory } from '#client/create/upload/transfer/upload-memory.ts'
import {
  type EngineTransport,
  UploadCallError,
} from '#client/create/upload/transfer/upload-transport.ts'

type Page = { origin: string; cookie: string }

/** What the upload page does, with its own retries, but for what it shows. */
export function openUploadPage(page: Page, file: { name: string; bytes: Buffer }) {
  const storage = new Map<string, string>()
  const engine = createUploadEngine({
    transport: createTransport(page),
    memory: createUploadMemory({
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
      key: (index) => [...storage.keys()][index] ?? null,
      get length() {
        return storage.size
      },
      clear: () => storage.clear(),
    }),
  })
  const about = { title: file.name, description: '', category: 'Other', tags: [] }
  const details = {
    ...about,
    isAnonymous: false,
    visibility: null,
    squadId: null,
    participants: [],
  }
  const submission = {
    userId: 1,
    file: new File([new Uint8Array(file.bytes)], `${file.name}.mp4`, { type: 'video/mp4' }),
    details,
  }
  return {
    /** Presses 'Upload', or 'Try again'. */
    press: (): Promise<UploadOutcome> => engine.start(submission),
    /** Resolves when the page says that it waits for the server. */
    untilInterrupted: () =>
      new Promise<void>((resolve) => {
        const end = engine.subscribe(() => {
          if (!engine.progress().interrupted) return
          end()
          resolve()
        })
      }),
  }
}

function createTransport({ origin, cookie }: Page): EngineTransport {
  async function ask<Result>(path: string, body: FormData | object): Promise<Result> {
    const isForm = body instanceof FormData
    const answer = await fetch(origin + path, {
      method: 'POST',
      body: isForm ? body : JSON.stringify(body),
      headers: { cookie, ...(!isForm && { 'content-type': 'application/json' }) },
    }).catch(() => undefined)
    if (!answer) throw new UploadCallError('The connection to the server was lost.')
    const text = await answer.text()
    if (answer.ok) return JSON.parse(text) as Result
    const retryAfterSeconds = Number(answer.headers.get('retry-after') ?? 0)
    throw new UploadCallError(text, { status: answer.status, retryAfterSeconds })
  }
  return {
    initialize: (input) => ask('/api/uploads/initialize', input),
    async sendChunk({ uploadId, chunkIndex, totalChunks, chunk }) {
      const form = new FormData()
      form.set('uploadId', uploadId)
      form.set('chunkIndex', String(chunkIndex))
      form.set('totalChunks', String(totalChunks))
      form.set('chunk', chunk, 'blob')
      await ask('/api/uploads/chunk', form)
    },
    complete: (input) => ask('/api/uploads/complete', input),
    cancel: (input) => ask('/trpc/upload.cancel', input),
  }
}
