import { connection } from '#client/platform/connection.ts'
import type { InitializeUpload, OpenUpload } from '#shared/schemas/upload.schemas.ts'
import { chunkCountOf } from '../form/video-file.ts'
import { atMostEvery } from './at-most-every.ts'
import { ChunkFailedError, sendChunks } from './chunk-sender.ts'
import { listFirstChunks } from './first-chunks.ts'
import { type Pause, type RetryOptions, statusOf, withRetries } from './retry.ts'
import { createSpeedMeter, STILL_MS } from './speed-meter.ts'
import { type FileIdentity, identityOf, type UploadMemory } from './upload-memory.ts'
import { IDLE_PROGRESS, isUploadRunning, type UploadProgress } from './upload-progress.ts'
import type { EngineTransport } from './upload-transport.ts'

const CANCELLED_TEXT = 'Upload cancelled by user'
const FAILED_TEXT = 'Upload was cancelled or failed'

export type UploadSubmission = {
  userId: number
  file: File
  details: InitializeUpload['metadata']
}

export type UploadOutcome =
  | { kind: 'complete'; videoId: number }
  | { kind: 'error'; message: string }
  | { kind: 'stopped' }

type Options = {
  transport: EngineTransport
  memory: UploadMemory
  /** At most; one by one by default. */
  chunksAtOnce?: () => number
  /** Whether the upload gets its link before it ends. */
  hasEarlyLink?: () => boolean
  pause?: Pause
  now?: () => number
}

/** One submission on its way. */
type Run = {
  stop: AbortController
  file: FileIdentity
  uploadId: string | undefined
  retries: RetryOptions
  /** Shows a change, unless this run was stopped meanwhile. */
  show: (change: Partial<UploadProgress>) => void
  /** Reports sent bytes at most twice a second, so that drawing the page does not delay chunks. */
  showSent: (change: Partial<UploadProgress>) => void
}

export type UploadEngine = ReturnType<typeof createUploadEngine>

/** Aborted with this, an upload is given up; with anything else it waits to be resumed. */
const CANCELLED = new Error(CANCELLED_TEXT)

/** Drawing the page takes WebKit up to a tenth of a second. */
const TELL_MS = 500

/** Nothing moves, so there is no speed. */
const WAITING = { interrupted: true, bytesPerSecond: undefined } as const

/** What the server says about an upload that no further call can bring to an end. */
const OVER = [404, 409, 410]
const REFUSED = [400, 404, 410, 422]
const ENDED = [...REFUSED, 409]

/**
 * The state machine behind the upload page: idle → preparing → uploading → processing → complete,
 * or error. It knows no framework; `progress` and `subscribe` fit `useSyncExternalStore`.
 */
export function createUploadEngine(options: Options) {
  const { transport, memory, chunksAtOnce = () => 1 } = options
  const { pause = connection.pause, now = Date.now } = options
  const listeners = new Set<() => void>()
  let progress = IDLE_PROGRESS
  let current: Run | undefined
  let failure: unknown
  let discarding: Promise<void> = Promise.resolve()

  function tell(): void {
    for (const listener of listeners) listener()
  }

  function show(change: Partial<UploadProgress>): void {
    progress = { ...progress, ...change }
    tell()
  }

  /** Has the server drop an upload; should that fail, it expires there by itself. */
  function discard(uploadId: string): void {
    discarding = transport.cancel({ uploadId }).catch(() => undefined)
  }

  function beginRun({ file, userId }: UploadSubmission): Run {
    const stop = new AbortController()
    const { signal } = stop
    const showUnlessStopped = (change: Partial<UploadProgress>) => {
      if (!signal.aborted) show(change)
    }
    const tellSeldom = atMostEvery(TELL_MS, tell, now)
    const showSent = (change: Partial<UploadProgress>) => {
      if (progress.interrupted) return showUnlessStopped(change)
      if (signal.aborted) return
      progress = { ...progress, ...change }
      tellSeldom(undefined)
    }
    return {
      stop,
      file: identityOf(file, userId),
      uploadId: undefined,
      show: showUnlessStopped,
      showSent,
      retries: { signal, pause, now, onInterrupted: () => showUnlessStopped(WAITING) },
    }
  }

  async function send(submission: UploadSubmission, run: Run): Promise<number> {
    const opened = await openUpload(submission, run)
    if ('videoId' in opened) return opened.videoId
    const { uploadId } = opened
    run.uploadId = uploadId
    const { signal } = run.stop
    if (signal.reason === CANCELLED) discard(uploadId)
    else memory.remember(run.file, { uploadId, completing: false })
    signal.throwIfAborted()
    run.show({ state: 'uploading' })
    const meter = createSpeedMeter(now)
    let stillTimer: ReturnType<typeof setTimeout> | undefined
    const onProgress = (sent: Pick<UploadProgress, 'chunksStored' | 'bytesSent'>) => {
      clearTimeout(stillTimer)
      stillTimer = setTimeout(() => run.show(WAITING), STILL_MS)
      run.showSent({
        ...sent,
        bytesPerSecond: meter.measure(sent.bytesSent),
        interrupted: false,
      })
    }
    const { retries } = run
    const first = await openLink(submission.file, { ...run, uploadId })
    const sending = { transport, opened, first, retries, chunksAtOnce, onProgress }
    await sendChunks(submission.file, sending).finally(() => clearTimeout(stillTimer))
    run.show({ state: 'processing', bytesPerSecond: undefined })
    return finishUpload({ ...run, uploadId })
  }

  /** The upload does not wait for it. @returns the chunks to begin with */
  async function openLink(file: File, run: Run & { uploadId: string }): Promise<number[]> {
    const { uploadId, retries } = run
    const open = transport.openLink
    if (!open || options.hasEarlyLink?.() !== true) return []
    void withRetries(() => open({ uploadId }), { ...retries, onInterrupted: () => {} }).then(
      ({ videoId }) => run.show({ linkedVideoId: videoId }),
      () => {},
    )
    return listFirstChunks(file)
  }

  /** Opens an upload, or takes up that of the same file where it stopped. */
  async function openUpload(
    { file, details }: UploadSubmission,
    run: Run,
  ): Promise<OpenUpload | { videoId: number }> {
    const earlier = memory.recall(run.file)
    const input = {
      fileName: file.name,
      fileSize: file.size,
      fileType: file.type,
      metadata: details,
      resumeUploadId: earlier?.uploadId ?? null,
    }
    // 429 is that three uploads are open: one of them has to end first, and the member decides which.
    const retries = { ...run.retries, finalStatus: 429 }
    const opened = await withRetries(() => transport.initialize(input), retries).catch((cause) => {
      run.show({ tooManyOpen: statusOf(cause) === 429 })
      throw prefixed('Failed to initialize upload', cause)
    })
    run.show({ resumed: opened.resumed, interrupted: false })
    if (!earlier?.completing || opened.resumed) return opened
    // The answer to `complete` was lost and the upload is over: it may be a video already, or become one.
    const { uploadId } = earlier
    const complete = () => transport.complete({ uploadId, thumbnailUrl: null })
    const finished = await withRetries(complete, run.retries).catch((cause) => {
      if (ENDED.includes(statusOf(cause) ?? 0)) return null
      discard(opened.uploadId)
      throw prefixed('Failed to complete upload', cause)
    })
    if (finished) discard(opened.uploadId)
    return finished ?? opened
  }

  async function finishUpload(run: Run & { uploadId: string }): Promise<number> {
    const { uploadId } = run
    memory.remember(run.file, { uploadId, completing: true })
    run.show({ canCancel: false })
    const complete = () => transport.complete({ uploadId, thumbnailUrl: null })
    const { videoId } = await withRetries(complete, run.retries).catch((cause) => {
      if (REFUSED.includes(statusOf(cause) ?? 0)) memory.forget(run.file)
      throw prefixed('Failed to complete upload', cause)
    })
    return videoId
  }

  return {
    progress: () => progress,
    /** The upload on the server, once it is opened. */
    uploadId: () => current?.uploadId,
    /** What the last submission failed of. */
    failure: () => failure,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Sends everything; never rejects. While one submission runs, another is not taken. */
    async start(submission: UploadSubmission): Promise<UploadOutcome> {
      if (isUploadRunning(progress)) return { kind: 'stopped' }
      const run = beginRun(submission)
      current = run
      const { size } = submission.file
      const fresh = { ...IDLE_PROGRESS, chunkCount: chunkCountOf(size), totalBytes: size }
      show({ ...fresh, state: 'preparing', canCancel: true })
      try {
        await discarding
        const videoId = await send(submission, run)
        memory.forget(run.file)
        run.show({ state: 'complete', canCancel: false, interrupted: false })
        return { kind: 'complete', videoId }
      } catch (error) {
        if (run.stop.signal.aborted) return { kind: 'stopped' }
        if (error instanceof ChunkFailedError && OVER.includes(statusOf(error.cause) ?? 0)) {
          memory.forget(run.file)
          if (run.uploadId) discard(run.uploadId)
        }
        failure = error
        const message = (error instanceof Error && error.message) || FAILED_TEXT
        run.show({ state: 'error', message, canCancel: false, interrupted: false })
        return { kind: 'error', message }
      }
    },

    /** Aborts what is being sent and gives the upload up, here and on the server. */
    cancel(): void {
      if (!current || !progress.canCancel) return
      current.stop.abort(CANCELLED)
      memory.forget(current.file)
      if (current.uploadId) discard(current.uploadId)
      show({ ...IDLE_PROGRESS, message: CANCELLED_TEXT })
    },

    /** Stops sending because the page is left; the same file chosen again resumes. */
    leave(): void {
      current?.stop.abort(new Error('The page was left'))
    },

    /** Back to the beginning, for another file. */
    reset(): void {
      if (!isUploadRunning(progress)) show(IDLE_PROGRESS)
    },
  }
}

function prefixed(prefix: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`${prefix}: ${reason}`, { cause })
}
