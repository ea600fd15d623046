import { useEffect } from 'react'
import { useFrozenOrder } from './frozen-order.ts'
import { markPlayed, type QueueEntry, upcomingOf, useOwnQueue } from './own-queue.ts'
import { HISTORY_QUEUE, OWN_QUEUE } from './queue-key.ts'
import { entriesFrom, shuffleEntries } from './queue-order.ts'
import { placeIn, rememberPlace, useQueueSettings } from './queue-settings.ts'
import { useQueueVideos } from './use-queue-videos.ts'

/** An entry, with the list that it is played of. */
export type QueueStep = { entry: QueueEntry; list: string }

export type Queue = ReturnType<typeof useQueue>

/**
 * The list that a video is played of, in the order of play. What was queued by hand comes first, whatever list is
 * played; without a list it is the queue.
 */
export function useQueue(list: string | undefined, videoId: number) {
  const own = useOwnQueue()
  const waiting = upcomingOf(own).filter(({ id }) => id !== videoId)
  const key = list ?? (waiting.length > 0 ? OWN_QUEUE : undefined)
  const { entries: loaded, isComplete, ...about } = useQueueVideos(key)
  const listed = useFrozenOrder(loaded, { isOn: key === HISTORY_QUEUE, videoId, isComplete })
  const { loop, shuffle } = useQueueSettings()
  const isShuffled = shuffle !== null && shuffle.list === key
  const entries = isShuffled ? shuffleEntries(listed, shuffle) : listed
  const index = entries.findIndex(({ id }) => id === videoId)
  const isRound = loop === 'all'
  const place = key === undefined ? undefined : placeIn(key)
  const around = (step: 1 | -1) =>
    entriesFrom(entries, { videoId, step, isRound, place }).map((entry) => toStep(entry, key))
  const isOwnQueue = key === OWN_QUEUE
  // Beside another list, or before it has begun.
  const queued = isOwnQueue && index >= 0 ? [] : waiting.map((entry) => toStep(entry, OWN_QUEUE))
  const following = isOwnQueue && index < 0 ? queued : [...queued, ...around(1)]
  const preceding = index < 0 && isOwnQueue ? [] : around(-1)
  return { ...about, key, entries, index, loop, isShuffled, following, preceding, isOwnQueue }
}

const toStep = (entry: QueueEntry, list = OWN_QUEUE): QueueStep => ({ entry, list })

/** Remembers where the list is. */
export function useRememberedPlace({ key, index }: Queue, videoId: number): void {
  useEffect(() => {
    if (key === undefined || index < 0) return
    rememberPlace(key, { videoId, index })
    if (key === OWN_QUEUE) markPlayed(videoId)
  }, [key, index, videoId])
}
