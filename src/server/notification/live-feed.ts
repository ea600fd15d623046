import { EventEmitter } from 'node:events'

/** Tells open pages that something of a user's changed; it carries no content, so nothing can be lost. */
export type LiveFeed = ReturnType<typeof createLiveFeed>

export function createLiveFeed() {
  const changes = new EventEmitter<Record<`user-${number}`, []>>()
  changes.setMaxListeners(0)
  return {
    announce(userIds: Iterable<number>): void {
      for (const id of new Set(userIds)) changes.emit(`user-${id}`)
    },
    /** Calls `listener` at each change until `signal` aborts. */
    listen(userId: number, input: { listener: () => void; signal: AbortSignal }): void {
      changes.on(`user-${userId}`, input.listener)
      input.signal.addEventListener('abort', () => changes.off(`user-${userId}`, input.listener), {
        once: true,
      })
    },
  }
}
