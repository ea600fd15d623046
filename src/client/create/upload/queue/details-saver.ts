import { postForm } from '#client/platform/post-form.ts'
import type { trpcClient } from '#client/trpc.ts'
import { statusOf } from '../transfer/retry.ts'
import { UploadCallError, type UploadTransport } from '../transfer/upload-transport.ts'
import { sendableDetails } from './queue-item.ts'
import type { QueueStore } from './queue-store.ts'

/** Typing is saved when it pauses. */
const PAUSE_MS = 500

type Options = {
  client: typeof trpcClient
  store: QueueStore
  transport: Pick<UploadTransport, 'sendThumbnail'>
}

type Unsaved = { details: boolean; thumbnail: boolean }

export type DetailsSaver = ReturnType<typeof createDetailsSaver>

/** Brings what is said of the queue's files to the server: to the open upload, and to the video once there is one. */
export function createDetailsSaver({ client, store, transport }: Options) {
  const unsaved = new Map<number, Unsaved>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const underWay = new Map<number, Promise<void>>()

  /** What fails stays unsaved, and goes with the next save: at the latest when the video is there. */
  async function save(id: number): Promise<void> {
    const change = unsaved.get(id)
    const item = store.find(id)
    const isOpened = item?.uploadId !== undefined || item?.videoId !== undefined
    if (!change || !item || !isOpened) return
    unsaved.delete(id)
    const again = (failed: Partial<Unsaved>) => {
      const { details = false, thumbnail = false } = unsaved.get(id) ?? {}
      unsaved.set(id, {
        details: details || failed.details === true,
        thumbnail: thumbnail || failed.thumbnail === true,
      })
    }
    if (change.details) await saveDetails(id).catch(() => again({ details: true }))
    if (change.thumbnail) await saveThumbnail(id).catch(() => again({ thumbnail: true }))
  }

  async function saveDetails(id: number): Promise<void> {
    const item = store.find(id)
    if (!item) return
    const metadata = sendableDetails(item)
    if (item.videoId !== undefined) {
      const { visibility, ...others } = metadata
      const change = { ...others, ...(visibility !== null && { visibility }) }
      await client.video.edit.mutate({ id: item.videoId, ...change })
    } else if (item.uploadId)
      await client.upload.saveDetails.mutate({ uploadId: item.uploadId, metadata })
  }

  async function saveThumbnail(id: number): Promise<void> {
    const item = store.find(id)
    if (!item?.thumbnail) return
    if (item.videoId !== undefined) {
      const form = new FormData()
      form.append('thumbnail', item.thumbnail)
      await postForm(`/api/videos/${item.videoId}/thumbnail`, form)
    } else if (item.uploadId) {
      const input = { uploadId: item.uploadId, thumbnail: item.thumbnail }
      const signal = new AbortController().signal
      const { thumbnailUrl } = await transport.sendThumbnail(input, { signal }).catch((error) => {
        // A picture that is none stays one however often it is sent.
        if ((statusOf(error) ?? 500) < 500 && error instanceof UploadCallError) {
          store.change(id, { thumbnail: undefined })
          return { thumbnailUrl: null }
        }
        throw error
      })
      store.change(id, { thumbnailUrl })
    }
  }

  /** One save after the other, for each item. */
  function saveNow(id: number): Promise<void> {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const work = (underWay.get(id) ?? Promise.resolve()).then(() => save(id))
    underWay.set(id, work)
    return work
  }

  return {
    /** Something else is said of an item; it is saved in a moment. */
    noteChange(id: number, change: Partial<Unsaved>): void {
      const { details = false, thumbnail = false } = unsaved.get(id) ?? {}
      unsaved.set(id, {
        details: details || change.details === true,
        thumbnail: thumbnail || change.thumbnail === true,
      })
      clearTimeout(timers.get(id))
      timers.set(
        id,
        setTimeout(() => void saveNow(id), PAUSE_MS),
      )
    },
    saveNow,
  }
}
