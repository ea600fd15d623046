import { percentOf } from '../transfer/upload-progress.ts'
import { isTravelling, type QueueItem } from './queue-item.ts'
import { nextQueueState, type QueueEvent } from './queue-state.ts'

export type QueueSnapshot = {
  items: readonly QueueItem[]
  /** What was left out of the files that were chosen last. */
  notice: string | undefined
  /** Ids of files that were added together, while their common details are asked for. */
  batch: readonly number[]
  /** Why nothing is sent at the moment, though files wait. */
  interruption: { sentence: string; isSessionOver: boolean } | undefined
}

/** What all files of the queue come to. */
export type QueueTotals = {
  /** Of the bytes of all that was not finished when it was added. */
  percent: number
  bytesPerSecond: number
  secondsLeft: number | undefined
}

export type QueueStore = ReturnType<typeof createQueueStore>

/** The queue's state; `subscribe` fits `useSyncExternalStore`. */
export function createQueueStore() {
  const listeners = new Set<() => void>()
  let snapshot: QueueSnapshot = {
    items: [],
    notice: undefined,
    batch: [],
    interruption: undefined,
  }
  let totals: QueueTotals = { percent: 0, bytesPerSecond: 0, secondsLeft: undefined }

  function emit(): void {
    totals = addUp(snapshot.items)
    for (const listener of listeners) listener()
  }

  const find = (id: number) => snapshot.items.find((item) => item.id === id)

  /** Changes one item, if it is still there. */
  function change(id: number, change: Partial<Omit<QueueItem, 'state'>>): void {
    replace(id, change)
  }

  function replace(id: number, change: Partial<QueueItem>): void {
    const items = snapshot.items.map((item) => (item.id === id ? { ...item, ...change } : item))
    snapshot = { ...snapshot, items }
    emit()
  }

  return {
    snapshot: () => snapshot,
    totals: () => totals,
    find,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Has the totals counted again: an upload went on. */
    tick: emit,
    set: (change: Partial<QueueSnapshot>) => {
      snapshot = { ...snapshot, ...change }
      emit()
    },
    change,
    /** Moves an item to its next state, and changes it; does nothing where the event has no effect. */
    advance: (
      id: number,
      event: QueueEvent,
      change: Partial<Omit<QueueItem, 'state'>> = {},
    ): void => {
      const item = find(id)
      const state = item && nextQueueState(item.state, event)
      if (state) replace(id, { ...change, state })
    },
  }
}

function addUp(items: readonly QueueItem[]): QueueTotals {
  let [sent, total, bytesPerSecond] = [0, 0, 0]
  for (const item of items) {
    if (isTravelling(item)) {
      const progress = item.engine?.progress()
      total += item.size
      sent += progress?.bytesSent ?? 0
      bytesPerSecond += item.state === 'running' ? (progress?.bytesPerSecond ?? 0) : 0
    } else if (item.videoId !== undefined) {
      total += item.size
      sent += item.size
    }
  }
  return {
    percent: percentOf({ bytesSent: sent, totalBytes: total }),
    bytesPerSecond,
    secondsLeft: bytesPerSecond > 0 ? (total - sent) / bytesPerSecond : undefined,
  }
}
