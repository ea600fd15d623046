import { useEffect, useRef, useSyncExternalStore } from 'react'
import { trpc, trpcUtils } from '#client/trpc.ts'
import type { ProcessingStatus, Video, VideoWork } from '#shared/schemas/video.schemas.ts'

const POLL_MS = 1000
const IDLE_POLL_MS = 10_000

let isLive = false
const listeners = new Set<() => void>()
const workListeners = new Set<(work: VideoWork[]) => void>()

/** Whether the live events report the progress of one's videos; else one has to ask. */
export function setWorkIsLive(value: boolean): void {
  if (value === isLive) return
  isLive = value
  for (const listener of listeners) listener()
}

/** Takes the state that a live event reports. */
export function takeOwnWork(work: VideoWork[]): void {
  trpcUtils.video.listWork.setData(undefined, work)
  setWorkIsLive(true)
  for (const listener of workListeners) listener(work)
}

/** The live events about one's videos, for what is no component. */
export const ownWork = {
  isLive: () => isLive,
  onWork: (listener: (work: VideoWork[]) => void) => void workListeners.add(listener),
  onLiveChange: (listener: () => void) => void listeners.add(listener),
}

type Worked = Pick<Video, 'id' | 'processingState'>

/**
 * How far the work on a video is, for as long as there is any; when it begins to play, gets better or fails,
 * whatever shows it is read again.
 * @param isOwn the live events report one's own videos only
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

/** Has the videos read again when the state that the page shows is no longer the true one. */
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
    // They are found in the pass that makes a video better.
    void trpcUtils.moment.list.invalidate()
  }, [now, processingState])
}

const isOver = ({ processingState, ladder }: ProcessingStatus) =>
  processingState !== 'processing' && ladder?.state !== 'waiting' && ladder?.state !== 'running'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
