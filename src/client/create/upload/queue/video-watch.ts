import { errorStatus } from '#client/platform/error-message.ts'
import type { ownWork } from '#client/platform/video/own-work.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { VideoWork } from '#shared/schemas/video.schemas.ts'
import { VIDEO_STATE_WORDS, videoStateOf } from '#shared/video-state.ts'
import type { QueueStore } from './queue-store.ts'

const POLL_MS = 2000
/** Live events do not report deletions. */
const LIVE_POLL_MS = 30_000

type Options = {
  client: typeof trpcClient
  store: QueueStore
  work: typeof ownWork
  /** Ready, failed or deleted. */
  onSettled: () => void
}

/**
 * Follows uploads until they play. Live events report it; hidden pages have none and poll often.
 */
export function createVideoWatch({ client, store, work, onSettled }: Options) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const preparing = () => store.snapshot().items.filter(({ state }) => state === 'preparing')

  async function look(id: number, videoId: number): Promise<void> {
    try {
      const video = await client.video.get.query({ id: videoId })
      if (video.processingState === 'processing') return
      if (video.processingState === 'failed') {
        const sentence = video.processingError ?? 'The video could not be prepared.'
        store.advance(id, 'refuse', { sentence })
      } else {
        const sentence = video.contentApproved ? undefined : VIDEO_STATE_WORDS[videoStateOf(video)]
        store.advance(id, 'play', { sentence })
      }
      onSettled()
    } catch (error) {
      if (errorStatus(error) !== 404) return
      const replaces = store.find(id)?.replaces
      if (replaces !== undefined && replaces !== videoId) {
        // The recording moved to the replaced video.
        store.change(id, { videoId: replaces })
        return look(id, replaces)
      }
      store.advance(id, 'delete', { sentence: 'This video was deleted.' })
      onSettled()
    }
  }

  async function take(list: VideoWork[]): Promise<void> {
    for (const { id, videoId } of preparing()) {
      const own = list.find((one) => one.videoId === videoId)
      if (own?.processingState === 'processing') store.change(id, { percentPrepared: own.percent })
      else if (videoId !== undefined) await look(id, videoId)
    }
  }

  async function poll(): Promise<void> {
    const list = await client.video.listWork.query().catch(() => undefined)
    if (list) await take(list)
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    if (preparing().length === 0) return
    timer = setTimeout(() => void poll(), work.isLive() ? LIVE_POLL_MS : POLL_MS)
  }

  work.onWork((list) => void take(list))
  work.onLiveChange(schedule)

  return {
    /** Most videos play at once. */
    async begin(id: number, videoId: number): Promise<void> {
      await look(id, videoId)
      schedule()
    },
  }
}
