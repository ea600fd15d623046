import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { NoMoreBytesError, openArrivedBytes } from './arrived-bytes.ts'
import { type ArrivingUpload, findArrivingUpload } from './arriving.queries.ts'
import { openFragmentFile } from './fragment-file.ts'
import type { FromThread, ThreadInput, ToThread } from './fragment-thread.ts'

type Deps = Pick<AppDeps, 'db' | 'disk' | 'media' | 'closing'>

const SCRIPT = new URL('./fragment-thread.ts', import.meta.url)
/** A stream that nobody has asked for within this time ends, and is made again when somebody does. */
const IDLE_MS = 60_000
/** Each stream has a thread and a file. */
const STREAMS_MAX = 8
const THREAD_MEMORY_MB = 256
/** How often it is checked whether the upload was cancelled or has expired. */
const CHECK_MS = 1000
/** The longest time that an answer waits for the next part. */
const WAIT_MS = 6000
const CATCH_UP_MS = 2000
/** How often it is checked whether the thread waits for bytes. */
const LOOK_MS = 200

export type Head = { bytes: Buffer; durationSeconds: number; width: number; height: number }
const OVER: readonly ArrivingUpload['state'][] = ['failed', 'expired']

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
    /** Returns a stream that runs on this node, without keeping it from ending. */
    find: (videoId: number) => streams.get(videoId),
  }
}

function createStream(
  deps: Deps,
  { videoId, fileSize, onEnd }: { videoId: number; fileSize: number; onEnd: () => void },
) {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, deps.closing])
  const source = openArrivedBytes(deps, { videoId, signal })
  const file = openFragmentFile(deps, {
    name: `arriving-${videoId}-${randomUUID()}`,
    bytesAtMost: fileSize,
  })
  const changes = new EventEmitter<{ change: [] }>()
  changes.setMaxListeners(0)
  let head: Head | undefined
  let over: 'end' | 'unplayable' | undefined
  let seconds = 0
  const worker = startThread({ fileSize })

  async function answer({ id, start, end }: Extract<FromThread, { kind: 'read' }>) {
    const bytes = await source.read(start, end).catch((error) => {
      if (error instanceof NoMoreBytesError) return null
      throw error
    })
    const message: ToThread = { id, bytes }
    worker.postMessage(message, bytes ? [bytes.buffer] : [])
  }

  async function take(message: FromThread): Promise<void> {
    if (message.kind === 'read') await answer(message)
    else if (message.kind === 'head') {
      const { kind: _, bytes, ...facts } = message
      head = { ...facts, bytes: Buffer.from(bytes) }
    } else if (message.kind === 'fragment') {
      await file.append(message.bytes, message.seconds)
      seconds += message.seconds
    } else {
      await file.flush()
      over = message.reason
      void worker.terminate()
    }
    changes.emit('change')
  }

  function fail(): void {
    if (!signal.aborted) over ??= file.fragments.length > 0 ? 'end' : 'unplayable'
    void worker.terminate()
    changes.emit('change')
  }
  worker.on('message', (message: FromThread) => void take(message).catch(fail))
  worker.on('error', fail)

  const end = async () => {
    clearTimeout(idle)
    clearInterval(check)
    stop.abort()
    onEnd()
    changes.emit('change')
    await worker.terminate()
    await file.remove()
  }
  const endNow = () => void end().catch(() => {})
  const idle = setTimeout(endNow, IDLE_MS).unref()
  const check = setInterval(async () => {
    const upload = await findArrivingUpload(deps.db, videoId).catch(() => null)
    if (upload === undefined || (upload && OVER.includes(upload.state))) endNow()
  }, CHECK_MS).unref()
  deps.closing.addEventListener('abort', endNow, { once: true, signal: stop.signal })

  /** Returns when `isThere`, when no more comes, or after a few seconds. */
  async function waitFor(isThere: () => boolean, atMostMs = WAIT_MS): Promise<void> {
    const late = AbortSignal.timeout(atMostMs)
    while (!isThere() && over === undefined && !signal.aborted && !late.aborted) {
      const soon = AbortSignal.any([late, AbortSignal.timeout(LOOK_MS)])
      await once(changes, 'change', { signal: soon }).catch(() => {})
    }
  }

  return {
    touch: () => void idle.refresh(),
    fragments: () => file.fragments,
    /** Seconds that can be watched. */
    seconds: () => seconds,
    head: () => head,
    /** The value is undefined while more may come. */
    over: () => over,

    /**
     * Until all that has arrived is in the stream, but not for long: on another node it may be
     * there already, and what a player knows must not become less.
     */
    async catchUp(): Promise<void> {
      await waitFor(() => head !== undefined)
      await waitFor(() => source.isWaiting(), CATCH_UP_MS)
    },

    /** Returns undefined for a fragment that has not arrived. */
    async fragment(index: number): Promise<Buffer | undefined> {
      await waitFor(() => index < file.fragments.length)
      return file.read(index)
    },
  }
}

/** Passes no environment, because the file may be hostile. */
function startThread(input: ThreadInput): Worker {
  const worker = new Worker(SCRIPT, {
    ...{ workerData: input, execArgv: [], env: {} },
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  })
  worker.unref()
  return worker
}
