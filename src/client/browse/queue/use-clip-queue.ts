import { parseClipQueueKey } from './clip-queue-key.ts'
import { inOrder } from './queue-order.ts'
import { placeIn, useQueueSettings } from './queue-settings.ts'
import type { Queue } from './use-queue.ts'
import { useQueueClips } from './use-queue-clips.ts'

/** In playback order; empty without a list. */
export function useClipQueue(list: string | undefined, clipId: number): Queue {
  const key = parseClipQueueKey(list).of === 'none' ? undefined : list
  const { entries: loaded, isComplete: _, ...about } = useQueueClips(key)
  const settings = useQueueSettings()
  const { isShuffled, entries, index, around } = inOrder(loaded, {
    ...{ key, id: clipId, settings, place: key === undefined ? undefined : placeIn(key) },
  })
  const stepsTo = (step: 1 | -1) =>
    key === undefined ? [] : around(step).map((entry) => ({ entry, list: key }))
  return {
    ...{ ...about, key, entries, index, isShuffled, noun: 'clip', isOwnQueue: false },
    loop: settings.loop,
    following: stepsTo(1),
    preceding: stepsTo(-1),
  }
}
