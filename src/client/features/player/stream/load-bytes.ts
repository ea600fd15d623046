import type { ByteRange } from './media-playlist.ts'

const FIRST_BYTE_MS = 8000
const WHOLE_MS = 60_000
const RETRY_PAUSES_MS = [500, 1000]

/** `isLost`: nothing arrives, which may change; else a refusal (404, 403), which waiting will not change. */
export class LoadError extends Error {
  readonly isLost: boolean
  constructor(message: string, isLost: boolean) {
    super(message)
    this.isLost = isLost
  }
}

export type LoadProgress = { bytes: number; ms: number }

type LoadInput = {
  url: string
  /** Without one, the whole file. */
  range?: ByteRange
  signal: AbortSignal
  /** So much since the first byte. */
  onProgress?: (progress: LoadProgress) => void
}

/**
 * Loads a file or a part of it, again after a pause when nothing arrives.
 * @throws LoadError; what `signal` was aborted with
 */
export async function loadBytes(input: LoadInput): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await loadOnce(input)
    } catch (error) {
      input.signal.throwIfAborted()
      const pause = RETRY_PAUSES_MS[attempt]
      const isFinal = error instanceof LoadError && !error.isLost
      if (isFinal || pause === undefined) throw asLoadError(error)
      await wait(pause, input.signal)
    }
  }
}

async function loadOnce({ url, range, signal, onProgress }: LoadInput) {
  const own = new AbortController()
  const late = () => own.abort(new LoadError('It took too long.', true))
  let timer = setTimeout(late, FIRST_BYTE_MS)
  try {
    const last = range && range.start + range.length - 1
    const answer = await fetch(url, {
      signal: AbortSignal.any([signal, own.signal]),
      ...(range && { headers: { range: `bytes=${range.start}-${last}` } }),
    })
    if (!answer.ok) throw refusal(answer.status)
    if (range && answer.status !== 206)
      throw new LoadError('The server sent the whole file.', false)
    clearTimeout(timer)
    timer = setTimeout(late, WHOLE_MS)
    return await readBody(answer, { length: range?.length, onProgress })
  } finally {
    clearTimeout(timer)
  }
}

async function readBody(
  { body }: Response,
  { length, onProgress }: { length: number | undefined; onProgress: LoadInput['onProgress'] },
): Promise<Uint8Array<ArrayBuffer>> {
  const began = performance.now()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value)
    bytes += part.value.length
    onProgress?.({ bytes, ms: performance.now() - began })
  }
  if (length !== undefined && bytes !== length) throw new LoadError('Something is missing.', true)
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function refusal(status: number): LoadError {
  return new LoadError(`The server answered ${status}.`, status >= 500 || status === 429)
}

function asLoadError(error: unknown): LoadError {
  return error instanceof LoadError ? error : new LoadError('Nothing arrived.', true)
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
