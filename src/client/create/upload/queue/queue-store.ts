import { percentOf } from '../transfer/upload-progress.ts'
import { isTravelling, type QueueItem } from './queue-item.ts'
import { nextQueueState, type QueueEvent } from './queue-state.ts'

export type QueueSnapshot = {
  items: readonly QueueItem[]
  /** Item of the upload form, which the tray does not show. */
  held: QueueItem | undefined
  /** Message about refused files. */
  notice: string | undefined
  /** Ids of files added together, during the common question. */
  batch: readonly number[]
  /** Why nothing is sent. */
  interruption: { sentence: string; isSessionOver: boolean } | undefined
}

export type QueueTotals = {
  /** Share of the bytes of all items that were unfinished when added. */
  percent: number
  bytesPerSecond: number
  secondsLeft: number | undefined
}

export type QueueStore = ReturnType<typeof createQueueStore>

/** Fits `useSyncExternalStore`. */
export function createQueueStore() {
  const listeners = new Set<() => void>()
  let snapshot: QueueSnapshot = {
    items: [],
    held: undefined,
    notice: undefined,
    batch: [],
    interruption: undefined,
  }
  let totals: QueueTotals = { percent: 0, bytesPerSecond: 0, secondsLeft: undefined }

  function emit(): void {
    totals = addUp(snapshot.items)
    for (const listener of listeners) listener()
  }

  const isHeld = (id: number) => snapshot.held?.id === id

  const find = (id: number) =>
    isHeld(id) ? snapshot.held : snapshot.items.find((item) => item.id === id)

  function change(id: number, change: Partial<Omit<QueueItem, 'state'>>): void {
    replace(id, change)
  }

  function replace(id: number, change: Partial<QueueItem>): void {
    const changed = (item: QueueItem) => (item.id === id ? { ...item, ...change } : item)
    const { items, held } = snapshot
    snapshot = { ...snapshot, items: items.map(changed), held: held && changed(held) }
    emit()
  }

  return {
    snapshot: () => snapshot,
    totals: () => totals,
    find,
    isHeld,
    all: () => (snapshot.held ? [...snapshot.items, snapshot.held] : snapshot.items),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Recounts the totals. */
    tick: emit,
    set: (change: Partial<QueueSnapshot>) => {
      snapshot = { ...snapshot, ...change }
      emit()
    },
    change,
    /** @returns false where the event has no effect */
    advance: (
      id: number,
      event: QueueEvent,
      change: Partial<Omit<QueueItem, 'state'>> = {},
    ): boolean => {
      const item = find(id)
      const state = item && nextQueueState(item.state, event)
      if (state) replace(id, { ...change, state })
      return state !== undefined
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
