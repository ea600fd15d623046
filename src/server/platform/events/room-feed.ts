import type { ReactionKind } from '#shared/reactions.ts'
import type { Drawing } from '#shared/schemas/watch-room.schemas.ts'
import { type Message, type MessageBus, ROOM_TOPICS } from '../cluster/message-bus.ts'
import { addTo, removeFrom } from './sets-by-key.ts'
import { createStreamLimit } from './stream-limit.ts'

export type RoomTopic = (typeof ROOM_TOPICS)[number]
/** All streams of a node share the object of the same news. */
export type RoomNews = {
  changed: readonly RoomTopic[]
  /** Ids of new messages of the chat. */
  messages: readonly number[]
  reactions: readonly ReactionKind[]
  drawings: readonly Drawing[]
}
type RoomMessage = Extract<Message, { topic: 'room' }>

/** Changes within this time are sent together. Changes of playback are sent at once. */
const GATHER_MS = 100
const REACTIONS_MAX = 20
const DRAWINGS_MAX = 20
/** Several that come at once arrive in one message. */
const MESSAGES_MAX = 100

/** Someone who has the page of a room open. */
export type Presence = { userId: number } | { guestKey: string }
type Stream = { presence: Presence; listener: (news: RoomNews) => void }
type Pending = {
  changed: Set<RoomTopic>
  messages: Set<number>
  reactions: ReactionKind[]
  drawings: Drawing[]
  /** The news that other nodes get from this one. */
  own: { changed: Set<RoomTopic>; messages: Set<number>; reactions: ReactionKind[] }
}

/**
 * Tells open pages of watch rooms what to read, and carries what is stored nowhere. See
 * docs/decisions/0090-watch-rooms.md.
 */
export type RoomFeed = ReturnType<typeof createRoomFeed>

export function createRoomFeed(bus: MessageBus) {
  const streams = new Map<number, Set<Stream>>()
  const pending = new Map<number, Pending>()
  const limit = createStreamLimit()

  function gather(roomId: number): Pending {
    const known = pending.get(roomId) ?? {
      ...{ changed: new Set(), messages: new Set(), reactions: [], drawings: [] },
      own: { changed: new Set(), messages: new Set(), reactions: [] },
    }
    if (!pending.has(roomId)) setTimeout(() => deliver(roomId), GATHER_MS).unref()
    pending.set(roomId, known)
    return known
  }

  function deliver(roomId: number): void {
    const gathered = pending.get(roomId)
    if (!gathered) return
    pending.delete(roomId)
    const { changed, messages, reactions, drawings, own } = gathered
    const news: RoomNews = {
      changed: [...changed],
      messages: [...messages].slice(-MESSAGES_MAX),
      reactions,
      drawings,
    }
    for (const { listener } of streams.get(roomId) ?? []) listener(news)
    if (own.changed.size + own.messages.size + own.reactions.length === 0) return
    const told = { changed: [...own.changed], messages: [...own.messages].slice(-MESSAGES_MAX) }
    send({ topic: 'room', roomId, ...told, reactions: own.reactions, drawings: [] })
  }

  function send(message: RoomMessage): void {
    // Pages of other nodes read the room again when the nodes hear each other again.
    bus.publish(message).catch(() => {})
  }

  function addChanged(roomId: number, topics: readonly RoomTopic[], isOwn: boolean): void {
    const known = gather(roomId)
    for (const topic of topics) {
      known.changed.add(topic)
      if (isOwn) known.own.changed.add(topic)
    }
    // Each millisecond of delay moves the pages apart.
    if (topics.includes('playback')) deliver(roomId)
  }

  function addDrawing(roomId: number, drawing: Drawing): void {
    const { drawings } = gather(roomId)
    if (drawings.length < DRAWINGS_MAX) drawings.push(drawing)
  }

  const addReaction = (to: ReactionKind[], kind: ReactionKind) => {
    if (to.length < REACTIONS_MAX) to.push(kind)
  }

  bus.onMessage((message) => {
    if (message.topic !== 'room' || !streams.has(message.roomId)) return
    const { roomId, changed, messages, reactions, drawings } = message
    const known = gather(roomId)
    for (const id of messages) known.messages.add(id)
    for (const kind of reactions) addReaction(known.reactions, kind)
    for (const drawing of drawings) addDrawing(roomId, drawing)
    addChanged(roomId, changed, false)
  })
  bus.onReconnect(() => {
    for (const roomId of streams.keys()) addChanged(roomId, ROOM_TOPICS, false)
  })

  return {
    announce(roomId: number, ...topics: RoomTopic[]): void {
      addChanged(roomId, topics, true)
    },

    announceMessage(roomId: number, id: number): void {
      const known = gather(roomId)
      known.messages.add(id)
      known.own.messages.add(id)
    },

    announceReaction(roomId: number, kind: ReactionKind): void {
      const known = gather(roomId)
      addReaction(known.reactions, kind)
      addReaction(known.own.reactions, kind)
    },

    announceDrawing(roomId: number, drawing: Drawing): void {
      addDrawing(roomId, drawing)
      const drawings = [drawing]
      send({ topic: 'room', roomId, changed: [], messages: [], reactions: [], drawings })
    },

    hasRoomFor: limit.hasRoomFor,

    /** Lists who has a stream of this node. */
    present(roomId: number): Presence[] {
      return [...(streams.get(roomId) ?? [])].map(({ presence }) => presence)
    },

    /**
     * When a member exceeds 10 streams, the oldest ends.
     * @returns a signal that aborts when the stream ends, and `isFirst`, which tells whether it is
     * the oldest of the room on this node
     */
    listen(
      roomId: number,
      input: Stream & { key: string; network: string; signal: AbortSignal },
    ): { ended: AbortSignal; isFirst: () => boolean } {
      const { presence, listener } = input
      const ended = limit.begin(input)
      const stream: Stream = { presence, listener }
      if (!ended.aborted) {
        addTo(streams, roomId, stream)
        ended.addEventListener('abort', () => removeFrom(streams, roomId, stream), { once: true })
      }
      const isFirst = () => streams.get(roomId)?.values().next().value === stream
      return { ended, isFirst }
    },
  }
}
