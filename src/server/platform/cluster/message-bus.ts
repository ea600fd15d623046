import { z } from 'zod'

/** Messages between nodes. They only invalidate; the database has the truth. */
export const messageSchema = z.discriminatedUnion('topic', [
  /** The database sends it on commit, also to the writer. */
  z.object({ topic: z.literal('changes') }),
  /** Their open pages reload data. */
  z.object({
    topic: z.literal('live'),
    userIds: z.array(z.number()),
    about: z.enum(['notifications', 'work']),
  }),
  z.object({ topic: z.literal('jobs') }),
  z.object({ topic: z.literal('cancel'), videoId: z.number() }),
  /** The worker gets no more jobs; with `takesBack` it loses running ones. */
  z.object({ topic: z.literal('worker'), workerId: z.number(), takesBack: z.boolean() }),
  /** Deleted in the store, as by `MediaStore.removePrefix`. */
  z.object({ topic: z.literal('files'), prefix: z.string() }),
])
export type Message = z.infer<typeof messageSchema>

export type MessageBus = {
  /**
   * Disconnected nodes miss the message.
   * @throws when this process is disconnected for some seconds, or while sending
   */
  publish: (message: Message) => Promise<void>
  /**
   * Skips own messages.
   * @returns unsubscribes
   */
  onMessage: (listener: (message: Message) => void) => () => void
  /**
   * Messages may have been missed.
   * @returns unsubscribes
   */
  onReconnect: (listener: () => void) => () => void
  isUp: () => boolean
  /**
   * Resolves when earlier messages and commits have arrived.
   * @returns false when disconnected
   */
  sync: () => Promise<boolean>
}
