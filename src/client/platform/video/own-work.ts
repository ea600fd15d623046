import { useEffect, useRef, useSyncExternalStore } from 'react'
import { trpc, trpcUtils } from '#client/trpc.ts'
import type { ProcessingStatus, Video, VideoWork } from '#shared/schemas/video.schemas.ts'

const POLL_MS = 1000
const IDLE_POLL_MS = 10_000

let isLive = false
const listeners = new Set<() => void>()
const workListeners = new Set<(work: VideoWork[]) => void>()

/** False means that pages have to poll. */
export function setWorkIsLive(value: boolean): void {
  if (value === isLive) return
  isLive = value
  for (const listener of listeners) listener()
}

export function takeOwnWork(work: VideoWork[]): void {
  trpcUtils.video.listWork.setData(undefined, work)
  setWorkIsLive(true)
  for (const listener of workListeners) listener(work)
}

/** Live events for non-components. */
export const ownWork = {
  isLive: () => isLive,
  onWork: (listener: (work: VideoWork[]) => void) => void workListeners.add(listener),
  onLiveChange: (listener: () => void) => void listeners.add(listener),
}

type Worked = Pick<Video, 'id' | 'processingState'>

/**
 * Undefined without work. Refetches queries when the video becomes ready, improves or fails.
 * @param isOwn live events cover own videos only
 */
export function useProcessingStatus(
  video: Worked,
  { isOwn }: { isOwn: boolean },
): ProcessingStatus | undefined {
  const own = useOwnStatus(video, isOwn)
  const other = trpc.video.processingStatus.useQuery(
    { id: video.id },
    {
      enabled: !isOwn,
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.error || (state.data && isOver(state.data)) ? false : POLL_MS,
    },
  )
  const status = isOwn ? own.status : other.data
  useNews(video, { isKnown: isOwn ? own.isKnown : other.data !== undefined, status })
  return status
}

function useOwnStatus({ id, processingState }: Worked, isOwn: boolean) {
  const live = useSyncExternalStore(subscribe, () => isLive)
  const { data } = trpc.video.listWork.useQuery(undefined, {
    enabled: isOwn && !live,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      processingState === 'processing' || state.data?.some((work) => !isOver(work))
        ? POLL_MS
        : IDLE_POLL_MS,
    select: (work) => work.find((one) => one.videoId === id) ?? null,
  })
  return { status: data ?? undefined, isKnown: data !== undefined }
}

/** Refetches videos when their state changes. */
function useNews(
  { processingState }: Worked,
  { isKnown, status }: { isKnown: boolean; status: ProcessingStatus | undefined },
): void {
  const now = isKnown ? (status?.processingState ?? 'settled') : undefined
  const before = useRef<string>(undefined)
  useEffect(() => {
    const was = before.current
    before.current = now
    if (now === undefined) return
    const isNews =
      was === undefined ? processingState === 'processing' && now !== 'processing' : now !== was
    if (!isNews) return
    void trpcUtils.video.invalidate()
    // Found in the same pass.
    void trpcUtils.moment.list.invalidate()
  }, [now, processingState])
}

const isOver = ({ processingState, ladder }: ProcessingStatus) =>
  processingState !== 'processing' && ladder?.state !== 'waiting' && ladder?.state !== 'running'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
