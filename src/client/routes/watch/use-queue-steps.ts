import { useNavigate } from '@tanstack/react-router'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { Queue, QueueStep } from '../../browse/queue/use-queue.ts'
import { errorStatus } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import type { NextVideo } from '../../watch/player/core/player-state.ts'

/**
 * Skips entries that no longer exist.
 * @param open shows an existing video
 */
export function useQueueSteps(queue: Queue, open: (video: Video, list: string) => void) {
  const utils = trpc.useUtils()
  return stepsOf(queue, {
    find: (id) => utils.video.get.fetch({ id }, { staleTime: 0 }),
    isReady: (video) => video.processingState === 'ready',
    open,
  })
}

/** For a queue of clips, which open on their pages. */
export function useClipSteps(queue: Queue) {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  return stepsOf(queue, {
    find: (id) => utils.clip.byId.fetch({ id }, { staleTime: 0 }),
    isReady: ({ video }) => video.processingState === 'ready',
    open: ({ id }, list) =>
      void navigate({ to: '/clip/$id', params: { id: String(id) }, search: { list } }),
  })
}

type Opening<Found> = {
  find: (id: number) => Promise<Found>
  isReady: (found: Found) => boolean
  open: (found: Found, list: string) => void
}

function stepsOf<Found extends object>(queue: Queue, { find, isReady, open }: Opening<Found>) {
  const goAlong = async (steps: readonly QueueStep[]) => {
    for (const { entry, list } of steps) {
      const found = await find(entry.id).catch(reasonOf)
      if (typeof found === 'object' && isReady(found)) return open(found, list)
      if (found === 'unknown') {
        notify({ tone: 'error', title: `The next ${queue.noun} could not be loaded` })
        return
      }
      notify({
        title: `Skipped "${entry.title}"`,
        message: 'It was deleted or hidden, or is not ready yet.',
      })
    }
  }
  return {
    next: toNext(queue.following[0]),
    previous: toNext(queue.preceding[0]),
    goNext: () => void goAlong(queue.following),
    goBack: () => void goAlong(queue.preceding),
  }
}

export function useOpenInList() {
  const navigate = useNavigate()
  return ({ id }: { id: number }, list: string) =>
    void navigate({ to: '/video/$id', params: { id: String(id) }, search: { list } })
}

/** A missing entry stays missing; other failures may be temporary. */
const reasonOf = (error: unknown) =>
  [400, 404].includes(errorStatus(error) ?? 0) ? ('gone' as const) : ('unknown' as const)

function toNext(step: QueueStep | undefined): NextVideo | null {
  if (!step) return null
  const { id, title, thumbnailUrl, channelName, duration } = step.entry
  return { id, title, thumbnailUrl, channelName, durationSeconds: duration, isQueued: true }
}
