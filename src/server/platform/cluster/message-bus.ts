import { z } from 'zod'

/** Messages between nodes. They only invalidate; the database has the truth. */
export const messageSchema = z.discriminatedUnion('topic', [
  /** Public answers may differ now. The database sends it on commit, to the writing process too. */
  z.object({ topic: z.literal('changes') }),
  /** Open pages of these users fetch again. */
  z.object({
    topic: z.literal('live'),
    userIds: z.array(z.number()),
    about: z.enum(['notifications', 'work']),
  }),
  /** A job may be due. */
  z.object({ topic: z.literal('jobs') }),
  /** The jobs of a video are cancelled. */
  z.object({ topic: z.literal('cancel'), videoId: z.number() }),
  /** A worker gets no further jobs; with `takesBack` it loses its running jobs too. */
  z.object({ topic: z.literal('worker'), workerId: z.number(), takesBack: z.boolean() }),
  /** Files of the store are deleted, as by `MediaStore.removePrefix`. */
  z.object({ topic: z.literal('files'), prefix: z.string() }),
])
export type Message = z.infer<typeof messageSchema>

export type MessageBus = {
  /**
   * Sends a message to the other processes. A process that is disconnected at the moment misses it.
   * @throws when this process is disconnected for longer than a few seconds, or loses its connection while sending
   */
  publish: (message: Message) => Promise<void>
  /** Calls `listener` for each message of other processes. @returns a function that unsubscribes */
  onMessage: (listener: (message: Message) => void) => () => void
  /** Calls `listener` after each reconnect: messages may have been missed. @returns a function that unsubscribes */
  onReconnect: (listener: () => void) => () => void
  isUp: () => boolean
  /**
   * Resolves once every message that was sent, and every change that was committed, before this call has arrived.
   * @returns false when this process is disconnected
   */
  sync: () => Promise<boolean>
}
