import { z } from 'zod'
import { REACTION_KINDS } from '#shared/reactions.ts'
import { drawingSchema } from '#shared/schemas/watch-room.schemas.ts'

/** Names the parts of a page that can change. Pages of clips use the topics with `clip`. */
export const VIDEO_TOPICS = ['comments', 'clip-comments', 'likes', 'clip-likes', 'access'] as const

/** Names what pages of a watch room have to learn. */
export const ROOM_TOPICS = ['playback', 'people', 'queue', 'room'] as const

/** Messages between nodes. They only invalidate; the database has the truth. */
export const messageSchema = z.discriminatedUnion('topic', [
  /** Sent by the database on commit, also to the writer. */
  z.object({ topic: z.literal('changes') }),
  z.object({
    topic: z.literal('live'),
    userIds: z.array(z.number()),
    about: z.enum(['notifications', 'work']),
  }),
  z.object({
    topic: z.literal('video'),
    videoId: z.number(),
    changed: z.array(z.enum(VIDEO_TOPICS)),
    reactions: z.array(z.tuple([z.enum(REACTION_KINDS), z.number()])),
  }),
  /** `messages` has the ids of new ones. A drawing is a message of its own because of its size. */
  z.object({
    topic: z.literal('room'),
    roomId: z.number(),
    changed: z.array(z.enum(ROOM_TOPICS)),
    messages: z.array(z.number()),
    reactions: z.array(z.enum(REACTION_KINDS)),
    drawings: z.array(drawingSchema),
  }),
  /**
   * How many people have pages of these videos open on a node. `memberIds` has only members who
   * show their presence.
   */
  z.object({
    topic: z.literal('watching'),
    node: z.string(),
    videos: z.array(
      z.object({ videoId: z.number(), count: z.number(), memberIds: z.array(z.number()) }),
    ),
  }),
  z.object({ topic: z.literal('jobs') }),
  z.object({ topic: z.literal('cancel'), videoId: z.number() }),
  /** No more jobs for the worker; with `takesBack` it loses running ones. */
  z.object({ topic: z.literal('worker'), workerId: z.number(), takesBack: z.boolean() }),
  /** As by `MediaStore.removePrefix`. */
  z.object({ topic: z.literal('files'), prefix: z.string() }),
])
export type Message = z.infer<typeof messageSchema>

export type MessageBus = {
  /**
   * Disconnected nodes miss it.
   * @throws when this process is disconnected for some seconds
   */
  publish: (message: Message) => Promise<void>
  /**
   * Without own messages.
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
   * Until earlier messages and commits have arrived.
   * @returns false when disconnected
   */
  sync: () => Promise<boolean>
}
