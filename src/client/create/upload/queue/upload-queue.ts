import { errorStatus } from '#client/platform/error-message.ts'
import type { ownWork } from '#client/platform/video/own-work.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { VideoFieldValues } from '../form/video-fields.tsx'
import type { UploadEngine, UploadOutcome } from '../transfer/upload-engine.ts'
import type { UploadMemory } from '../transfer/upload-memory.ts'
import type { UploadTransport } from '../transfer/upload-transport.ts'
import { type ChosenFiles, listedFiles } from './chosen-files.ts'
import { createDetailsSaver } from './details-saver.ts'
import type { createOtherTabs } from './other-tabs.ts'
import {
  createIntake,
  missingItem,
  newItem,
  type QueueMember,
  type Replaced,
  unfinishedItem,
} from './queue-intake.ts'
import {
  fileKey,
  isOnlyHere,
  isOver,
  needsTab,
  type QueueItem,
  sendableDetails,
} from './queue-item.ts'
import { createQueueRunner } from './queue-runner.ts'
import { createQueueStore } from './queue-store.ts'
import { createVideoWatch } from './video-watch.ts'

type Options = {
  client: typeof trpcClient
  transport: UploadTransport
  memory: UploadMemory
  otherTabs: ReturnType<typeof createOtherTabs>
  work: typeof ownWork
  /** Rejects unless this member is signed in. */
  confirmMember: (userId: number) => Promise<void>
  /** The server does not know the session any more. */
  onSessionOver: () => void
  /** Everything that was on its way is settled, and these play since the last time. */
  onAllReady: (ready: QueueItem[]) => void
  /** A video came to be, or is another now. */
  onVideos: () => void
}

/** What the queue takes over of a running upload when its form is left. */
export type RunningUpload = {
  userId: number
  file: File
  thumbnail: File | undefined
  details: VideoFieldValues
  engine: UploadEngine
  outcome: Promise<UploadOutcome>
}

/**
 * The files that a member uploads, independent of the page that is shown: up to 100, two at a time. It knows no
 * framework; `snapshot`, `totals` and `subscribe` fit `useSyncExternalStore`.
 */
export function createUploadQueue(options: Options) {
  const { client, transport, memory, otherTabs } = options
  const store = createQueueStore()
  const saver = createDetailsSaver({ client, store, transport })
  let member: QueueMember | undefined
  let reported = new Set<number>()
  /** Chosen before it was known who is signed in. */
  let early: ChosenFiles[] = []
  let earlyReplacements: { file: File; video: Replaced }[] = []
  let earlyRunning: RunningUpload[] = []

  const videoWatch = createVideoWatch({
    client,
    store,
    work: options.work,
    onSettled: () => {
      options.onVideos()
      settle()
    },
  })
  const runner = createQueueRunner({
    store,
    transport,
    memory,
    saver,
    userId: () => member?.userId,
    confirmMember: options.confirmMember,
    onSessionOver: options.onSessionOver,
    onComplete: (item, videoId) => {
      const { saved } = member ?? {}
      void saver.saveNow(item.id).then(() => saver.isSaved(item.id) && saved?.dropDraft(item))
      void videoWatch.begin(item.id, videoId)
    },
    onStopped: settle,
  })
  const intake = createIntake({ client, store, memory, otherTabs, onWaiting: runner.pump })

  store.subscribe(() => {
    const { items } = store.snapshot()
    otherTabs.announce(items.filter(needsTab).map(fileKey))
    member?.saved.noteWaiting(items.filter(isOnlyHere).map(toWaitingFile))
  })

  /** Reports once when no upload is running any more. */
  function settle(): void {
    const { items } = store.snapshot()
    if (items.some((item) => needsTab(item) || item.state === 'preparing')) return
    const ready = items.filter(({ id, state }) => state === 'ready' && !reported.has(id))
    for (const { id } of ready) reported.add(id)
    if (ready.length > 0) options.onAllReady(ready)
  }

  function remove(ids: ReadonlySet<number>): void {
    store.set({ items: store.snapshot().items.filter(({ id }) => !ids.has(id)) })
    runner.pump()
    settle()
  }

  /** Gives an item up, here and on the server. An upload whose last call runs is not given up any more. */
  function cancel(id: number): void {
    const item = store.find(id)
    if (!item) return
    const uploadId = item.uploadId ?? item.engine?.uploadId()
    if (item.state === 'running') {
      if (!item.engine?.progress().canCancel) return
      item.engine.cancel()
    } else if (uploadId && item.videoId === undefined) {
      memory.forgetUpload(uploadId)
      void client.upload.cancel.mutate({ uploadId }).catch(() => undefined)
    }
    member?.saved.dropDraft(item)
    remove(new Set([id]))
  }

  function pause(id: number): void {
    const item = store.find(id)
    if (item?.state === 'running') item.engine?.leave()
    store.advance(id, 'pause', { sentence: undefined })
    runner.pump()
  }

  function resume(id: number): void {
    const item = store.find(id)
    if (!item?.file || (item.state !== 'paused' && item.state !== 'failed')) return
    // What never began is looked at again: the other tab may be done with it.
    if (item.state === 'failed' && !item.engine && member) intake.checkAgain(id, member)
    else store.advance(id, 'resume', { sentence: undefined })
    runner.goOn()
  }

  return {
    snapshot: store.snapshot,
    totals: store.totals,
    subscribe: store.subscribe,
    cancel,
    pause,
    resume,
    memberId: () => member?.userId,
    /** After an interruption: whatever waits is tried at once. */
    goOn: runner.goOn,

    /** Says who is signed in; nobody's files are another's. */
    setMember(next: QueueMember | undefined): void {
      const isSame = next !== undefined && next.userId === member?.userId
      const { items } = store.snapshot()
      if (!isSame) {
        for (const { engine } of items) engine?.leave()
        reported = new Set()
        // What waits is remembered for whoever leaves.
        member = undefined
        store.set({ items: [], notice: undefined, batch: [], interruption: undefined })
      }
      member = next
      if (isSame) runner.goOn()
      for (const chosen of early) if (next) intake.add(chosen, next)
      early = []
      const replacements = earlyReplacements
      earlyReplacements = []
      for (const { file, video } of replacements) this.replaceRecording(file, video)
      const running = earlyRunning
      earlyRunning = []
      for (const upload of running) this.adopt(upload)
    },

    add(chosen: ChosenFiles): void {
      if (member) intake.add(chosen, member)
      else early.push(chosen)
    },

    /** Uploads a file in the place of a video's recording. */
    replaceRecording(file: File, video: Replaced): void {
      if (member) intake.addReplacement(file, video, member)
      else earlyReplacements.push({ file, video })
    },

    /** Goes on with an unfinished upload, if this is its file. */
    rejoin(id: number, file: File): void {
      const item = store.find(id)
      if (!item) return
      if (fileKey(file) === fileKey(item)) this.add(listedFiles([file]))
      else store.change(id, { sentence: `“${file.name}” is another file. Choose “${item.name}”.` })
    },

    /** Lists what the server has a part of and what waited in tabs that are gone, to be chosen again. */
    async loadUnfinished(): Promise<void> {
      const open = await client.upload.listOpen.query().catch((error) => {
        if (errorStatus(error) === 401) return []
        throw error
      })
      const { items } = store.snapshot()
      const isKnown = (key: string) =>
        items.some((item) => fileKey(item) === key && !isOver(item)) || otherTabs.upload(key)
      const begun = open.map(unfinishedItem).filter((item) => !isKnown(fileKey(item)))
      const keys = begun.map(fileKey)
      const waited = (member?.saved.waiting() ?? []).filter(
        (file) => !isKnown(fileKey(file)) && !keys.includes(fileKey(file)),
      )
      const missing = waited.map((file) => missingItem(file, member as QueueMember))
      const found = [...begun, ...missing]
      for (const item of begun) saver.noteSent(item.id, sendableDetails(item))
      if (found.length > 0) store.set({ items: [...found, ...store.snapshot().items] })
    },

    /** Goes on with an upload whose form was left. */
    adopt(upload: RunningUpload): void {
      if (!member) {
        earlyRunning.push(upload)
        return
      }
      const { file, thumbnail, details, engine, outcome } = upload
      if (upload.userId !== member.userId) {
        engine.leave()
        return
      }
      const item = { ...newItem(file, member), details, thumbnail, uploadId: engine.uploadId() }
      // The server's list of unfinished uploads may have come first, with this one in it.
      const isListed = (other: QueueItem) =>
        other.state === 'unfinished' && other.uploadId === item.uploadId
      const others = store.snapshot().items.filter((other) => !isListed(other))
      store.set({ items: [...others, { ...item, state: 'waiting', engine }] })
      saver.noteSent(item.id, sendableDetails(item))
      void runner.follow(item.id, engine, outcome)
    },

    /** Uploads a file although the site has it. */
    uploadAnyway(id: number): void {
      store.advance(id, 'upload-anyway', { same: undefined })
      runner.pump()
    },

    /** Changes what is said of some files; it is saved with their uploads. */
    changeDetails(ids: Iterable<number>, change: (item: QueueItem) => Partial<VideoFieldValues>) {
      for (const id of ids) {
        const item = store.find(id)
        if (!item) continue
        const details = { ...item.details, ...change(item) }
        store.change(id, { details })
        member?.saved.setDefaults(details)
        if (item.videoId === undefined) member?.saved.setDraft(item, details)
        saver.noteChange(id, { details: true })
      }
    },

    /** Keeps what is said here of a field that was changed elsewhere, or what is said next. */
    resolveConflict: saver.resolve,

    changeThumbnail(id: number, thumbnail: File | undefined): void {
      const gone = { ...(!thumbnail && { thumbnailUrl: null }), isThumbnailLost: false }
      store.change(id, { thumbnail, ...gone })
      if (thumbnail) saver.noteChange(id, { thumbnail: true })
    },

    /** Puts an item at another place of the queue, counted from 0. */
    move(id: number, toIndex: number): void {
      const item = store.find(id)
      if (!item) return
      const items = store.snapshot().items.filter((other) => other !== item)
      store.set({ items: items.toSpliced(toIndex, 0, item) })
    },

    pauseAll: () => {
      for (const { id, state } of [...store.snapshot().items].reverse()) {
        if (state === 'running' || state === 'waiting') pause(id)
      }
    },
    resumeAll: () => {
      for (const { id, state } of store.snapshot().items) {
        if (state === 'paused' || state === 'failed') resume(id)
      }
    },
    clearSettled: () =>
      remove(
        new Set(
          store
            .snapshot()
            .items.filter(isOver)
            .map(({ id }) => id),
        ),
      ),
    cancelAll: () => {
      for (const { id } of [...store.snapshot().items].reverse()) cancel(id)
    },
    closeBatch: () => store.set({ batch: [] }),
    dropNotice: () => store.set({ notice: undefined }),
  }
}

const toWaitingFile = ({ name, size, thumbnail, isThumbnailLost }: QueueItem) => ({
  name,
  size,
  hasThumbnail: thumbnail !== undefined || isThumbnailLost,
})
