import { useEffect } from 'react'
import { useFrozenOrder } from './frozen-order.ts'
import { markPlayed, type QueueEntry, upcomingOf, useOwnQueue } from './own-queue.ts'
import { HISTORY_QUEUE, OWN_QUEUE } from './queue-key.ts'
import { inOrder, type Loop } from './queue-order.ts'
import { placeIn, rememberPlace, useQueueSettings } from './queue-settings.ts'
import { type QueueVideos, useQueueVideos } from './use-queue-videos.ts'

/** With the list it belongs to. */
export type QueueStep = { entry: QueueEntry; list: string }

export type Queue = Omit<QueueVideos, 'isComplete'> & {
  key: string | undefined
  noun: 'video' | 'clip'
  /** Current entry, or -1. */
  index: number
  loop: Loop
  isShuffled: boolean
  /** Made by hand. */
  isOwnQueue: boolean
  /** Nearest first. */
  following: readonly QueueStep[]
  preceding: readonly QueueStep[]
}

/** In playback order. The hand-made queue comes first; without a list it is the queue. */
export function useQueue(list: string | undefined, videoId: number): Queue {
  const own = useOwnQueue()
  const waiting = upcomingOf(own).filter(({ id }) => id !== videoId)
  const key = list ?? (waiting.length > 0 ? OWN_QUEUE : undefined)
  const { entries: loaded, isComplete, ...about } = useQueueVideos(key)
  const listed = useFrozenOrder(loaded, { isOn: key === HISTORY_QUEUE, videoId, isComplete })
  const settings = useQueueSettings()
  const { isShuffled, entries, index, around } = inOrder(listed, {
    ...{ key, id: videoId, settings, place: key === undefined ? undefined : placeIn(key) },
  })
  const stepsTo = (step: 1 | -1) => around(step).map((entry) => toStep(entry, key))
  const isOwnQueue = key === OWN_QUEUE
  // While another list plays, or before it starts.
  const queued = isOwnQueue && index >= 0 ? [] : waiting.map((entry) => toStep(entry, OWN_QUEUE))
  const following = isOwnQueue && index < 0 ? queued : [...queued, ...stepsTo(1)]
  const preceding = index < 0 && isOwnQueue ? [] : stepsTo(-1)
  return {
    ...{ ...about, key, entries, index, isShuffled, isOwnQueue, following, preceding },
    loop: settings.loop,
    noun: 'video',
  }
}

const toStep = (entry: QueueEntry, list = OWN_QUEUE): QueueStep => ({ entry, list })

/** For the next visit. */
export function useRememberedPlace({ key, index }: Queue, videoId: number): void {
  useEffect(() => {
    if (key === undefined || index < 0) return
    rememberPlace(key, { videoId, index })
    if (key === OWN_QUEUE) markPlayed(videoId)
  }, [key, index, videoId])
}
