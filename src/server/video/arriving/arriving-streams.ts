import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { NoMoreBytesError, openArrivedBytes } from './arrived-bytes.ts'
import { type ArrivingUpload, findArrivingUpload } from './arriving.queries.ts'
import type { FromThread, ThreadInput, ToThread } from './fragment-thread.ts'

type Deps = Pick<AppDeps, 'db' | 'disk' | 'media' | 'closing'>

const SCRIPT = new URL('./fragment-thread.ts', import.meta.url)
/** A stream that nobody has asked for within this time ends, and is made again when somebody does. */
const IDLE_MS = 60_000
/** Each has a thread and a file. */
const STREAMS_MAX = 8
const THREAD_MEMORY_MB = 256
/** How soon nothing is left of an upload that is over. */
const CHECK_MS = 1000
const FILE = 'arriving.mp4'
/** An answer waits so long for what is about to come. */
const WAIT_MS = 6000

export type Head = { bytes: Buffer; durationSeconds: number; width: number; height: number }
const OVER: readonly ArrivingUpload['state'][] = ['failed', 'expired']

type Fragment = { start: number; bytes: number; seconds: number }
type ArrivingStream = ReturnType<typeof createStream>

/** Streams of uploads that are watched while they arrive, one per upload on each node that is asked. */
export type ArrivingStreams = ReturnType<typeof createArrivingStreams>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    arriving: ArrivingStreams
  }
}

export function createArrivingStreams(deps: Deps) {
  const streams = new Map<number, ArrivingStream>()

  /** @throws `busy` when too many are watched */
  function streamOf(videoId: number, upload: ArrivingUpload): ArrivingStream {
    const known = streams.get(videoId)
    if (known) {
      known.touch()
      return known
    }
    if (streams.size >= STREAMS_MAX) {
      throw new AppError('busy', 'Too many uploads are being watched. Please try again soon.', {
        retryAfterSeconds: 5,
      })
    }
    const stream = createStream(deps, {
      ...{ videoId, fileSize: upload.fileSize },
      onEnd: () => void streams.delete(videoId),
    })
    streams.set(videoId, stream)
    return stream
  }

  return {
    streamOf,
    /** What is known of a stream that runs on this node. */
    find: (videoId: number) => streams.get(videoId),
    count: () => streams.size,
  }
}

function createStream(
  deps: Deps,
  { videoId, fileSize, onEnd }: { videoId: number; fileSize: number; onEnd: () => void },
) {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, deps.closing])
  const source = openArrivedBytes(deps, { videoId, signal })
  const fragments: Fragment[] = []
  let head: Head | undefined
  let over: 'end' | 'unplayable' | undefined
  let seconds = 0
  let length = 0
  let listeners: (() => void)[] = []
  const tell = () => {
    const told = listeners
    listeners = []
    for (const listener of told) listener()
  }
  const folder = deps.disk.openWorkFolder(`arriving-${videoId}`)
  const file: Promise<FileHandle> = folder.then((path) => open(join(path, FILE), 'w+'))
  const worker = new Worker(SCRIPT, {
    workerData: { fileSize } satisfies ThreadInput,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  })
  worker.unref()
  let writing: Promise<void> = Promise.resolve()

  async function answer({ id, start, end }: Extract<FromThread, { kind: 'read' }>) {
    const bytes = await source.read(start, end).catch((error) => {
      if (error instanceof NoMoreBytesError) return null
      throw error
    })
    const message: ToThread = { id, bytes }
    worker.postMessage(message, bytes ? [bytes.buffer] : [])
  }

  async function append(bytes: Uint8Array, fragmentSeconds: number): Promise<void> {
    const start = length
    await (await file).write(bytes, 0, bytes.length, start)
    length = start + bytes.length
    seconds += fragmentSeconds
    fragments.push({ start, bytes: bytes.length, seconds: fragmentSeconds })
    tell()
  }

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'read') answer(message).catch(fail)
    else if (message.kind === 'head') {
      const { kind: _, bytes, ...facts } = message
      head = { ...facts, bytes: Buffer.from(bytes) }
      tell()
    } else if (message.kind === 'fragment') {
      writing = writing.then(() => append(message.bytes, message.seconds))
      writing.catch(fail)
    } else {
      writing = writing.then(() => {
        over = message.reason
        tell()
      })
      void worker.terminate()
    }
  })
  worker.on('error', fail)

  function fail(): void {
    if (!signal.aborted) over ??= fragments.length > 0 ? 'end' : 'unplayable'
    void worker.terminate()
    tell()
  }

  let timer: NodeJS.Timeout | undefined
  const end = async () => {
    clearTimeout(timer)
    clearInterval(check)
    stop.abort()
    onEnd()
    tell()
    await worker.terminate()
    await writing.catch(() => {})
    await (await file.catch(() => undefined))?.close()
    await rm(await folder, { recursive: true, force: true })
  }
  const check = setInterval(async () => {
    const upload = await findArrivingUpload(deps.db, videoId).catch(() => null)
    if (upload === null || (upload && !OVER.includes(upload.state))) return
    await end().catch(() => {})
  }, CHECK_MS).unref()
  const touch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void end().catch(() => {}), IDLE_MS).unref()
  }
  deps.closing.addEventListener('abort', () => void end().catch(() => {}), { once: true })
  touch()

  /** Returns when `isThere`, when no more comes, or after a few seconds. */
  async function waitFor(isThere: () => boolean): Promise<void> {
    const until = performance.now() + WAIT_MS
    while (!isThere() && over === undefined && !signal.aborted && performance.now() < until) {
      await new Promise<void>((resolve) => {
        listeners.push(resolve)
        setTimeout(resolve, 200).unref()
      })
    }
  }

  return {
    touch,
    end,
    fragments: () => fragments,
    /** Seconds that can be watched. */
    seconds: () => seconds,
    head: () => head,
    /** Undefined while more may come. */
    over: () => over,

    /** Until all that has arrived is in the stream. */
    catchUp: () => waitFor(() => source.isWaiting() && head !== undefined),

    /** Undefined for one that has not arrived. */
    async fragment(index: number): Promise<Buffer | undefined> {
      await waitFor(() => index < fragments.length)
      const found = fragments[index]
      if (!found) return undefined
      const { buffer } = await (await file).read({
        ...{ buffer: Buffer.alloc(found.bytes), position: found.start },
      })
      return buffer
    },
  }
}
