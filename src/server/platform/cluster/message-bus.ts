import { z } from 'zod'

/** Messages between nodes. They only invalidate; the database has the truth. */
export const messageSchema = z.discriminatedUnion('topic', [
  /** Public answers may be outdated. The database sends it on commit, also to the writer. */
  z.object({ topic: z.literal('changes') }),
  /** Open pages of these users reload their data. */
  z.object({
    topic: z.literal('live'),
    userIds: z.array(z.number()),
    about: z.enum(['notifications', 'work']),
  }),
  z.object({ topic: z.literal('jobs') }),
  z.object({ topic: z.literal('cancel'), videoId: z.number() }),
  /** A worker gets no more jobs; with `takesBack` it loses its running jobs too. */
  z.object({ topic: z.literal('worker'), workerId: z.number(), takesBack: z.boolean() }),
  /** Deleted in the store, as by `MediaStore.removePrefix`. */
  z.object({ topic: z.literal('files'), prefix: z.string() }),
])
export type Message = z.infer<typeof messageSchema>

export type MessageBus = {
  /**
   * Disconnected nodes miss the message.
   * @throws when this process is disconnected for more than a few seconds, or while sending
   */
  publish: (message: Message) => Promise<void>
  /**
   * Not for own messages.
   * @returns a function that unsubscribes
   */
  onMessage: (listener: (message: Message) => void) => () => void
  /**
   * Messages may have been missed.
   * @returns a function that unsubscribes
   */
  onReconnect: (listener: () => void) => () => void
  isUp: () => boolean
  /**
   * Resolves when all messages and commits before this call have arrived.
   * @returns false when disconnected
   */
  sync: () => Promise<boolean>
}
