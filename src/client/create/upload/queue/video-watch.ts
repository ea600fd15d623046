import { errorStatus } from '#client/platform/error-message.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { QueueStore } from './queue-store.ts'

const POLL_MS = 2000

type Options = {
  client: typeof trpcClient
  store: QueueStore
  /** A video plays, cannot be prepared, or is gone. */
  onSettled: () => void
}

/** Follows the uploaded videos of the queue until they play: 'uploaded' is not 'ready'. */
export function createVideoWatch({ client, store, onSettled }: Options) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const preparing = () => store.snapshot().items.filter(({ state }) => state === 'preparing')

  async function look(id: number, videoId: number): Promise<void> {
    try {
      const video = await client.video.get.query({ id: videoId })
      if (video.processingState === 'processing') return
      if (video.processingState === 'failed') {
        const sentence = video.processingError ?? 'The video could not be prepared.'
        store.change(id, { state: 'refused', sentence })
      } else {
        const sentence = video.contentApproved ? undefined : 'Pending Approval'
        store.change(id, { state: 'ready', sentence })
      }
      onSettled()
    } catch (error) {
      if (errorStatus(error) !== 404) return
      store.change(id, { state: 'gone', sentence: 'This video was deleted.' })
      onSettled()
    }
  }

  async function poll(): Promise<void> {
    const work = await client.video.listWork.query().catch(() => undefined)
    for (const { id, videoId } of preparing()) {
      const own = work?.find((one) => one.videoId === videoId)
      if (own?.processingState === 'processing') store.change(id, { percentPrepared: own.percent })
      else if (work && videoId !== undefined) await look(id, videoId)
    }
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = preparing().length > 0 ? setTimeout(() => void poll(), POLL_MS) : undefined
  }

  return {
    /** An upload is complete: most videos play at once. */
    async begin(id: number, videoId: number): Promise<void> {
      await look(id, videoId)
      schedule()
    },
  }
}
