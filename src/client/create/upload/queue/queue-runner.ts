import { MAX_OPEN_UPLOADS } from '#shared/limits.ts'
import { earlyLink } from '../early-link.ts'
import { chunkCountOf } from '../form/video-file.ts'
import { CHUNKS_AT_ONCE, readChunk } from '../transfer/chunk-sender.ts'
import {
  createUploadEngine,
  type UploadEngine,
  type UploadOutcome,
} from '../transfer/upload-engine.ts'
import type { UploadMemory } from '../transfer/upload-memory.ts'
import { percentOf } from '../transfer/upload-progress.ts'
import {
  type EngineTransport,
  UploadCallError,
  type UploadTransport,
} from '../transfer/upload-transport.ts'
import type { DetailsSaver } from './details-saver.ts'
import { isUploadOver, OtherFileError, readFailure } from './queue-failure.ts'
import { type QueueItem, sendableDetails } from './queue-item.ts'
import type { QueueStore } from './queue-store.ts'

const AT_A_TIME = 2
const RETRY_MS = 5000
const OTHER_FILE =
  'This is not the same file: its contents differ. Choose the one you started with.'
const NO_FREE_SLOT = `Waits: ${MAX_OPEN_UPLOADS} uploads are open already. Resume, finish or cancel one of them.`

type Options = {
  store: QueueStore
  transport: UploadTransport
  memory: UploadMemory
  saver: DetailsSaver
  userId: () => number | undefined
  confirmMember: (userId: number) => Promise<void>
  onSessionOver: () => void
  onComplete: (item: QueueItem, videoId: number) => void
  onStopped: () => void
}

/** Uploads waiting items in order, two at a time, and the form's at once. */
export function createQueueRunner(options: Options) {
  const { store, transport, memory, saver } = options
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  function pump(): void {
    const { items, interruption } = store.snapshot()
    if (interruption || options.userId() === undefined) return
    let running = items.filter(({ state }) => state === 'running').length
    let open = items.filter((item) => item.state === 'running' || item.uploadId).length
    for (const item of items) {
      if (item.state !== 'waiting' || running >= AT_A_TIME) continue
      const isOpened = item.uploadId !== undefined
      if (!isOpened && open >= MAX_OPEN_UPLOADS) {
        if (running === 0) store.change(item.id, { sentence: NO_FREE_SLOT })
        continue
      }
      running++
      if (!isOpened) open++
      void run(item.id)
    }
  }

  async function run(id: number): Promise<UploadOutcome> {
    const item = store.find(id)
    if (!item?.file) return { kind: 'stopped' }
    const { userId, file } = item
    // The engine of the form has to finish discarding a cancelled upload first.
    const earlier = store.isHeld(id) ? item.engine : undefined
    const engine = earlier ?? createUploadEngine(engineOptionsOf(id, userId))
    const running = engine.start({ userId, file, details: sendableDetails(item) })
    store.advance(id, 'start', { engine, sentence: undefined })
    const unsubscribe = engine.subscribe(() => {
      const uploadId = engine.uploadId()
      if (uploadId && store.find(id)?.uploadId !== uploadId) opened(id, uploadId)
      else store.tick()
    })
    const outcome = await running
    unsubscribe()
    const sent = store.find(id)
    if (sent?.engine !== engine || outcome.kind === 'stopped') return { kind: 'stopped' }
    if (outcome.kind === 'complete') {
      store.advance(id, 'complete', { videoId: outcome.videoId, uploadId: undefined })
      if (!store.isHeld(id)) options.onComplete(sent, outcome.videoId)
    } else fail(id, engine)
    pump()
    options.onStopped()
    return outcome
  }

  function opened(id: number, uploadId: string): void {
    store.change(id, { uploadId })
    void saver.saveNow(id)
  }

  function fail(id: number, engine: UploadEngine): void {
    const failure = readFailure(engine.failure())
    const uploadId = isUploadOver(engine.failure()) ? undefined : store.find(id)?.uploadId
    if (store.isHeld(id)) {
      // The form shows the engine's message, and the member tries again.
      store.advance(id, 'fail', { uploadId })
    } else if (failure.kind === 'later') {
      // The tray shows the reason once for all waiting files.
      store.advance(id, 'interrupt', { uploadId })
      interrupt(failure)
      if (failure.isSessionOver) options.onSessionOver()
    } else {
      const { kind, sentence } = failure
      store.advance(id, kind, {
        sentence,
        uploadId: kind === 'refuse' ? undefined : uploadId,
        percentStored: percentOf(engine.progress()),
        ...(kind === 'lose-file' && { file: undefined }),
      })
    }
  }

  /** Waits, then retries. */
  function interrupt(interruption: { sentence: string; isSessionOver: boolean }): void {
    store.set({ interruption })
    clearTimeout(retryTimer)
    retryTimer = setTimeout(retryNow, RETRY_MS * (interruption.isSessionOver ? 4 : 1))
  }

  function retryNow(): void {
    clearTimeout(retryTimer)
    if (store.snapshot().interruption) store.set({ interruption: undefined })
    pump()
  }

  function engineOptionsOf(id: number, userId: number) {
    return {
      transport: transportOf(id, userId),
      memory,
      chunksAtOnce: () => chunksAtOnceOf(id),
      // A replacement has the link of its video.
      hasEarlyLink: () => earlyLink().isOn && store.find(id)?.replaces === undefined,
    }
  }

  /** The form sends one by one; the tray's files share the line. */
  function chunksAtOnceOf(id: number): number {
    if (store.isHeld(id)) return 1
    const running = store.snapshot().items.filter(({ state }) => state === 'running').length
    return Math.max(1, Math.floor(CHUNKS_AT_ONCE / running))
  }

  /** Sends current details, and compares a rejoined file. */
  function transportOf(id: number, userId: number): EngineTransport {
    return {
      ...transport,
      initialize: async (input) => {
        if (!store.isHeld(id)) {
          await options.confirmMember(userId)
          if (options.userId() !== userId) throw new Error('Another member is signed in.')
        }
        const item = store.find(id)
        const metadata = item ? sendableDetails(item) : input.metadata
        const replacesVideoId = item?.replaces ?? null
        const answer = await transport.initialize({ ...input, metadata, replacesVideoId })
        saver.noteSent(id, metadata)
        const [chunkIndex] = answer.received
        if (item?.isRejoined && item.file && chunkIndex !== undefined) {
          await compareChunk(item.file, { uploadId: answer.uploadId, chunkIndex })
          store.change(id, { isRejoined: false })
        }
        return answer
      },
      complete: async (input) => {
        await saver.saveNow(id)
        return transport.complete({ ...input, thumbnailUrl: store.find(id)?.thumbnailUrl ?? null })
      },
    }
  }

  /** @throws OtherFileError when the server's bytes differ */
  async function compareChunk(
    file: File,
    { uploadId, chunkIndex }: { uploadId: string; chunkIndex: number },
  ): Promise<void> {
    const chunk = await readChunk(file, chunkIndex)
    const sending = { uploadId, chunkIndex, totalChunks: chunkCountOf(file.size), chunk }
    const { signal } = new AbortController()
    await transport.sendChunk(sending, { signal, onProgress: () => {} }).catch((error) => {
      const isOther = error instanceof UploadCallError && error.status === 409
      throw isOther ? new OtherFileError(OTHER_FILE) : error
    })
  }

  return { pump, run, retryNow }
}
