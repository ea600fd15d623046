import type { trpcClient } from '#client/trpc.ts'
import type { Fetch } from '#shared/schemas/fetch.schemas.ts'
import { percentOf } from '../transfer/upload-progress.ts'
import { fetchedItem, type QueueMember } from './queue-intake.ts'
import type { QueueItem } from './queue-item.ts'
import type { QueueStore } from './queue-store.ts'

const POLL_MS = 2000

type Options = {
  client: typeof trpcClient
  store: QueueStore
  member: () => QueueMember | undefined
  onArrived: (item: QueueItem, videoId: number) => void
  /** It failed, or waits for a decision. */
  onStopped: () => void
}

/** Follows the files that the site fetches from addresses, also those of other tabs and devices. */
export function createFetchWatch({ client, store, member, onArrived, onStopped }: Options) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const itemOf = (fetchId: number) => store.snapshot().items.find((one) => one.fetchId === fetchId)

  function take(list: Fetch[]): void {
    const known = member()
    if (!known) return
    const fresh = list.filter(({ id, videoId, state }) => {
      const isDeleted = state === 'done' && videoId === null
      return !isDeleted && !itemOf(id)
    })
    if (fresh.length > 0) {
      const added = fresh.map((fetch) => fetchedItem(fetch, known))
      store.set({ items: [...store.snapshot().items, ...added] })
    }
    for (const fetch of list) {
      const item = itemOf(fetch.id)
      if (item?.state === 'fetching') show(item, fetch)
    }
    const ids = new Set(list.map(({ id }) => id))
    const isGone = ({ fetchId, state }: QueueItem) =>
      state === 'fetching' && fetchId !== undefined && !ids.has(fetchId)
    // Cancelled in another tab.
    const items = store.snapshot().items.filter((item) => !isGone(item))
    if (items.length < store.snapshot().items.length) store.set({ items })
  }

  function show(item: QueueItem, fetch: Fetch): void {
    const { id } = item
    const { state, same, problem, bytes, size, videoId } = fetch
    if (state === 'done' && videoId !== null) {
      store.advance(id, 'complete', { videoId, sentence: undefined })
      void client.fetch.cancel.mutate({ id: fetch.id }).catch(() => undefined)
      onArrived(item, videoId)
    } else if (state === 'same' && same) {
      store.advance(id, 'found-same', { same })
      onStopped()
    } else if (state === 'failed') {
      store.advance(id, 'fail', { sentence: problem ?? undefined })
      onStopped()
    } else {
      const percentStored = percentOf({ bytesSent: bytes, totalBytes: size ?? 0 })
      const sentence = state === 'waiting' ? (problem ?? undefined) : undefined
      store.change(id, { percentStored, sentence, size: size ?? 0 })
    }
  }

  async function look(): Promise<void> {
    const list = await client.fetch.list.query().catch(() => undefined)
    if (list) take(list)
    clearTimeout(timer)
    if (store.snapshot().items.some(({ state }) => state === 'fetching')) {
      timer = setTimeout(() => void look(), POLL_MS)
    }
  }

  return {
    look,

    /** Tries a failed one again, or publishes a duplicate. */
    again(item: QueueItem): void {
      const { id, fetchId, state } = item
      if (fetchId === undefined || !store.advance(id, 'fetch', { sentence: undefined })) return
      const call = state === 'same' ? client.fetch.allowSame : client.fetch.retry
      void call
        .mutate({ id: fetchId })
        .catch(() => undefined)
        .then(look)
    },

    cancel({ fetchId }: QueueItem): void {
      if (fetchId === undefined) return
      void client.fetch.cancel.mutate({ id: fetchId }).catch(() => undefined)
    },
  }
}
