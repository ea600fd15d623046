import { errorStatus } from '#client/platform/error-message.ts'
import type { ownWork } from '#client/platform/video/own-work.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { VideoFieldValues } from '../form/video-fields.tsx'
import type { UploadMemory } from '../transfer/upload-memory.ts'
import type { UploadTransport } from '../transfer/upload-transport.ts'
import { type ChosenFiles, listedFiles } from './chosen-files.ts'
import { createDetailsSaver } from './details-saver.ts'
import { createFetchWatch } from './fetch-watch.ts'
import { createFormItem } from './form-item.ts'
import type { createOtherTabs } from './other-tabs.ts'
import {
  createIntake,
  missingItem,
  type QueueMember,
  type Replaced,
  unfinishedItem,
} from './queue-intake.ts'
import {
  fileKey,
  isFetched,
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
  /** Rejects for another or no member. */
  confirmMember: (userId: number) => Promise<void>
  /** The session is gone. */
  onSessionOver: () => void
  /** All uploads are settled; `ready` are those since the last time. */
  onAllReady: (ready: QueueItem[]) => void
  /** A video was created or changed. */
  onVideos: () => void
}

/**
 * Up to 100 files, two at a time, independent of pages. `snapshot`, `totals` and `subscribe` fit
 * `useSyncExternalStore`.
 */
export function createUploadQueue(options: Options) {
  const { client, transport, memory, otherTabs } = options
  const store = createQueueStore()
  const saver = createDetailsSaver({ client, store, transport })
  let member: QueueMember | undefined
  let reported = new Set<number>()
  /** Chosen before the member is known. */
  let early: ((member: QueueMember) => void)[] = []

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
  const fetches = createFetchWatch({
    ...{ client, store, member: () => member, onStopped: settle },
    onArrived: (item, videoId) => void videoWatch.begin(item.id, videoId),
  })
  const intake = createIntake({ client, store, memory, otherTabs, onWaiting: runner.pump })
  const form = createFormItem({ store, runner, intake, changeThumbnail })

  store.subscribe(() => {
    const { items } = store.snapshot()
    otherTabs.announce(items.filter(needsTab).map(fileKey))
    member?.saved.noteWaiting(items.filter(isOnlyHere).map(toWaitingFile))
    member?.saved.noteFetching(items.some(({ state }) => state === 'fetching'))
  })

  /** Once per completion. */
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

  function changeThumbnail(id: number, thumbnail: File | undefined): void {
    const gone = { ...(!thumbnail && { thumbnailUrl: null }), isThumbnailLost: false }
    store.change(id, { thumbnail, ...gone })
    if (thumbnail) saver.noteChange(id, { thumbnail: true })
  }

  function whenKnown(act: (member: QueueMember) => void): void {
    if (member) act(member)
    else early.push(act)
  }

  /** Also on the server, unless the last call is running. */
  function cancel(id: number): void {
    const item = store.find(id)
    if (!item) return
    const uploadId = item.uploadId ?? item.engine?.uploadId()
    if (isFetched(item)) fetches.cancel(item)
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
    if (item && isFetched(item)) fetches.again(item)
    if (!item?.file || (item.state !== 'paused' && item.state !== 'failed')) return
    // Checks again: the other tab may have finished.
    if (item.state === 'failed' && !item.engine && member) intake.checkAgain(id, member)
    else store.advance(id, 'resume', { sentence: undefined })
    runner.retryNow()
  }

  return {
    snapshot: store.snapshot,
    totals: store.totals,
    subscribe: store.subscribe,
    cancel,
    pause,
    resume,
    memberId: () => member?.userId,
    all: store.all,
    form,
    retryNow: runner.retryNow,

    /** Clears another member's files. */
    setMember(next: QueueMember | undefined): void {
      if (!next || next.userId !== member?.userId) {
        const { items, held } = store.snapshot()
        const isOwn = ({ userId }: QueueItem) => userId === next?.userId
        for (const item of store.all()) if (!isOwn(item)) item.engine?.leave()
        reported = new Set()
        // Waiting files are remembered.
        member = undefined
        store.set({
          items: items.filter(isOwn),
          held: held && isOwn(held) ? held : undefined,
          notice: undefined,
          batch: [],
          interruption: undefined,
        })
      }
      member = next
      runner.retryNow()
      const acts = early
      early = []
      if (next) for (const act of acts) act(next)
    },

    add(chosen: ChosenFiles): void {
      whenKnown((known) => intake.add(chosen, known))
    },

    /** The file replaces a recording. */
    replaceRecording(file: File, video: Replaced): void {
      whenKnown((known) => intake.addReplacement(file, video, known))
    },

    /** If it is the right file. */
    rejoin(id: number, file: File): void {
      const item = store.find(id)
      if (!item) return
      if (fileKey(file) === fileKey(item)) this.add(listedFiles([file]))
      else store.change(id, { sentence: `“${file.name}” is another file. Choose “${item.name}”.` })
    },

    /** From the server and closed tabs. */
    async loadUnfinished(): Promise<void> {
      const open = await client.upload.listOpen.query().catch((error) => {
        if (errorStatus(error) === 401) return []
        throw error
      })
      const known = member
      if (!known) return
      void fetches.look()
      const { userId, saved } = known
      const { items } = store.snapshot()
      const isKnown = (key: string) =>
        items.some((item) => fileKey(item) === key && !isOver(item)) || otherTabs.upload(key)
      const begun = open
        .map((upload) => unfinishedItem(upload, userId))
        .filter((item) => !isKnown(fileKey(item)))
      const keys = begun.map(fileKey)
      const waited = saved
        .waiting()
        .filter((file) => !isKnown(fileKey(file)) && !keys.includes(fileKey(file)))
      const missing = waited.map((file) => missingItem(file, known))
      const found = [...begun, ...missing]
      for (const item of begun) saver.noteSent(item.id, sendableDetails(item))
      if (found.length > 0) store.set({ items: [...found, ...store.snapshot().items] })
    },

    /** Those that the site fetches from addresses. */
    loadFetches: (): void => whenKnown(() => void fetches.look()),

    /** Despite a duplicate. */
    uploadAnyway(id: number): void {
      const item = store.find(id)
      if (item && isFetched(item)) fetches.again(item)
      store.advance(id, 'upload-anyway', { same: undefined })
      runner.pump()
    },

    /** Saved with the uploads. */
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

    /** Keeps the local value. */
    resolveConflict: saver.resolve,

    changeThumbnail,

    /** From 0. */
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
