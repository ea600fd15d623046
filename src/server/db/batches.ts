import { setImmediate } from 'node:timers/promises'

/** So many rows of the widest kind are changed well within 50 ms, which no request may wait for longer. */
export const BATCH_ROWS = 200

/**
 * Repeats a change of some rows until it finds none, and lets requests go first in between.
 * @param change answers how many rows it changed
 */
export async function inBatches(change: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const changed = await change()
    if (changed === 0) return total
    total += changed
    await setImmediate()
  }
}

/** Works through a list some items at a time, and lets requests go first in between. */
export async function forEachBatch<Item>(
  items: readonly Item[],
  input: { size?: number; work: (batch: Item[]) => Promise<void> },
): Promise<void> {
  const { size = BATCH_ROWS, work } = input
  for (let at = 0; at < items.length; at += size) {
    await work(items.slice(at, at + size))
    await setImmediate()
  }
}
